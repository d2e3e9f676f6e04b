package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenMpiTest {
    @Test
    void saysThatTheBindingsAreMissingWhereOnlyTheirSignaturesAre() {
        MpiUnavailableException failure = assertThrows(MpiUnavailableException.class,
                () -> OpenMpi.world(new String[0]));
        assertEquals("the class path has other classes than the Java bindings of Open MPI in package mpi: "
                + "put the mpi.jar of the MPI installation first", failure.getMessage());
    }

    @Test
    void knowsFromTheEnvironmentWhetherALauncherStartedTheProcess() {
        assertTrue(OpenMpi.wasLaunched(Map.of("OMPI_COMM_WORLD_SIZE", "4")));
        assertTrue(OpenMpi.wasLaunched(Map.of("PMIX_RANK", "0")));
        assertFalse(OpenMpi.wasLaunched(Map.of("HOME", "/nowhere")));
    }

    @Test
    void asksForTheWorldBeforeItsEnd() {
        assertThrows(IllegalStateException.class, OpenMpi::description);
    }

    @Test
    void tellsFailuresFromOtherErrorsByTheirNames() {
        assertEquals(FailureMeaning.PROCESS_FAILED, FailureMeaning.of("MPI_ERR_PROC_FAILED: Process Failure"));
        assertEquals(FailureMeaning.PROCESS_FAILED, FailureMeaning.of("MPIX_ERR_PROC_FAILED_PENDING: Pending"));
        assertEquals(FailureMeaning.REVOKED, FailureMeaning.of("MPI_ERR_REVOKED: Communication Object Revoked"));
        assertEquals(FailureMeaning.OTHER, FailureMeaning.of("MPI_ERR_TRUNCATE: message truncated"));
        assertEquals(FailureMeaning.OTHER, FailureMeaning.of("MPI_ERR_PROC_ABORTED: process aborted"));
        assertEquals(FailureMeaning.OTHER, FailureMeaning.of(null));
    }
}
