package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The choice of a transport, and what is said in a process without MPI. */
@Isolated("sets a system property")
class TransportTest {
    @AfterEach
    void forget() {
        System.clearProperty(Mpi.TRANSPORT_PROPERTY);
    }

    @Test
    void isWhatThePropertySays() {
        System.setProperty(Mpi.TRANSPORT_PROPERTY, "bindings");
        assertEquals(Transport.BINDINGS, Transport.ofProcess());
        System.setProperty(Mpi.TRANSPORT_PROPERTY, "native");
        assertEquals(Transport.NATIVE, Transport.ofProcess());
    }

    @Test
    void isNativeWhereNothingIsSaid() {
        assertEquals(Transport.NATIVE, Transport.ofProcess());
        System.setProperty(Mpi.TRANSPORT_PROPERTY, "");
        assertEquals(Transport.NATIVE, Transport.ofProcess());
    }

    @Test
    void refusesAnotherWord() {
        System.setProperty(Mpi.TRANSPORT_PROPERTY, "Native");
        assertEquals("restorej.mpi.transport must be native or bindings: restorej.mpi.transport=Native",
                assertThrows(IllegalArgumentException.class, Transport::ofProcess).getMessage());
    }

    @Test
    void needsALoadedLibraryForAHandle() {
        String message = assertThrows(Mpi.UnavailableException.class, () -> EmbeddedMpi.onHandle(1)).getMessage();
        assertTrue(String.valueOf(message).contains("no MPI library is loaded into this process"), message);
    }
}
