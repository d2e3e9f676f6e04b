package org.restorej;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;

/**
 * 3 GiB and more than 2^31 blocks a PE, over real messages. Takes about 10 GiB of memory, for the replicas of two PEs and
 * the destination of a read.
 */
class BigStoreIT {
    /** Several times what it takes on two idle cores. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @Test
    void moreThanTwoToThe31BlocksAPeGoThroughAllOperations(@TempDir Path folder) throws IOException {
        MpiFlavour.OPEN_MPI.require();
        // Beside the replicas, a submission keeps a bit for each block that a PE is the first holder of: 192 MiB.
        try (MpiJob job = MpiJob.of(BigStoreProgram.class, BigStoreProgram.RANKS).on(MpiFlavour.OPEN_MPI)
                .arguments(folder.toString()).vmOption("-Xmx640m").timeout(TIMEOUT).start()) {
            job.await().requireSuccess();
        }
    }
}
