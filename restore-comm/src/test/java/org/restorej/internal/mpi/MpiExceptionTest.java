package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.restorej.internal.mpi.MpiException.Meaning;

class MpiExceptionTest {
    @Test
    void tellsFailuresFromOtherErrorsByTheirNames() {
        assertEquals(Meaning.PROCESS_FAILED, Meaning.of("MPI_ERR_PROC_FAILED: Process Failure"));
        assertEquals(Meaning.PROCESS_FAILED, Meaning.of("MPIX_ERR_PROC_FAILED_PENDING: Pending"));
        assertEquals(Meaning.REVOKED, Meaning.of("MPI_ERR_REVOKED: Communication Object Revoked"));
        assertEquals(Meaning.OTHER, Meaning.of("MPI_ERR_TRUNCATE: message truncated"));
        assertEquals(Meaning.OTHER, Meaning.of("MPI_ERR_PROC_ABORTED: process aborted"));
        assertEquals(Meaning.OTHER, Meaning.of(null));
    }
}
