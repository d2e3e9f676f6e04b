package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FailureMeaningTest {
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
