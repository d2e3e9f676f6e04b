package org.restorej;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.testing.Deep;

/** 3 GiB and more than 2^31 blocks a PE, over real messages; see {@link BigStoreProgram}. */
@Deep
class BigStoreIT {
    /** Several times what it takes on two idle cores. */
    private static final Duration TIMEOUT = Duration.ofMinutes(20);

    /**
     * The replicas of two PEs are 6 GiB, the destination of a read is 2.5 GiB while there is one PE less, and three
     * JVMs take 1 GiB; the rest is for everybody else.
     */
    private static final long MEMORY_BYTES = 12L << 30;

    @Test
    void moreThanTwoToThe31BlocksAPeGoThroughAllOperations(@TempDir Path folder) throws IOException {
        MpiFlavour.OPEN_MPI.require();
        long memory = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        Assumptions.assumeTrue(memory >= MEMORY_BYTES,
                () -> "not tested: stores of 3 GiB a PE need " + MEMORY_BYTES + " bytes of memory, here are " + memory);
        // Beside the replicas, a submission keeps a bit for each block that a PE is the first holder of: 192 MiB.
        try (MpiJob job = MpiJob.of(BigStoreProgram.class, BigStoreProgram.RANKS).on(MpiFlavour.OPEN_MPI)
                .arguments(folder.toString()).vmOption("-Xmx640m").timeout(TIMEOUT).start()) {
            job.await().requireSuccess();
        }
    }
}
