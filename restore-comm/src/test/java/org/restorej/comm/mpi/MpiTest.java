package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** How MPI is called, and what is said in a process without MPI. */
@Isolated("sets a system property")
class MpiTest {
    @AfterEach
    void forget() {
        System.clearProperty(Mpi.TRANSPORT_PROPERTY);
    }

    @Test
    void isCalledAsThePropertySaysAndElseByForeignFunctions() {
        assertFalse(MpiProcess.isByBindings());
        System.setProperty(Mpi.TRANSPORT_PROPERTY, "bindings");
        assertTrue(MpiProcess.isByBindings());
        System.setProperty(Mpi.TRANSPORT_PROPERTY, "native");
        assertFalse(MpiProcess.isByBindings());
    }

    @Test
    void refusesAnotherWord() {
        System.setProperty(Mpi.TRANSPORT_PROPERTY, "Native");
        assertEquals("restorej.mpi.transport must be native or bindings: restorej.mpi.transport=Native",
                assertThrows(IllegalArgumentException.class, MpiProcess::isByBindings).getMessage());
    }

    @Test
    void needsALoadedLibraryForAHandle() {
        String message = assertThrows(Mpi.UnavailableException.class, () -> EmbeddedMpi.onHandle(1)).getMessage();
        assertTrue(String.valueOf(message).contains("no MPI library is loaded into this process"), message);
    }

    @Test
    void saysThatTheBindingsAreMissingWhereOnlyTheirSignaturesAre() {
        assertEquals("the class path has other classes than the Java bindings of Open MPI in package mpi: "
                + "put the mpi.jar of the MPI installation first",
                assertThrows(Mpi.UnavailableException.class, MpiProcess::ofBindings).getMessage());
    }

    @Test
    void asksForTheWorldBeforeItsEnd() {
        assertThrows(IllegalStateException.class, Mpi::description);
    }
}
