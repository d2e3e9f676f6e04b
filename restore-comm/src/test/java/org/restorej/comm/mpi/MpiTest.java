package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MpiTest {
    @Test
    void saysThatTheBindingsAreMissingWhereOnlyTheirSignaturesAre() {
        Mpi.UnavailableException failure = assertThrows(Mpi.UnavailableException.class,
                Transport.BINDINGS::load);
        assertEquals("the class path has other classes than the Java bindings of Open MPI in package mpi: "
                + "put the mpi.jar of the MPI installation first", failure.getMessage());
    }

    @Test
    void asksForTheWorldBeforeItsEnd() {
        assertThrows(IllegalStateException.class, Mpi::description);
    }
}
