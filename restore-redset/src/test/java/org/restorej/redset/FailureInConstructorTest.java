package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;
import org.restorej.testing.Seed;

/** A process that fails at any communication call of a constructor. */
class FailureInConstructorTest {
    private static final int RANKS = 3;
    private static final long SEED = Seed.of(FailureInConstructorTest.class);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void survivorsLeaveNoCommunicatorOpen() {
        int failures = 0;
        while (true) {
            Fault fault = Fault.before(1, failures);
            List<Integer> open = RedsetJob.run(
                    LocalCluster.builder(RANKS).faults(FaultPlan.of(fault)).singleStepping(SEED), this::openAfterwards);
            if (open.size() == RANKS) {
                break;
            }
            assertEquals(List.of(0, 0), open, fault + ": communicators that are open");
            failures++;
        }
        assertTrue(failures > 8, "failures " + failures);
    }

    private int openAfterwards(Communicator world) {
        OpenCommunicators communicators = new OpenCommunicators();
        RedundancyConfiguration configuration = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, folder, Scheme.xor(), RANKS));
        try {
            new RangeCheckpoint(communicators.watch(world), configuration, "job", "node" + world.rank(),
                    false).close();
        } catch (CommunicationFailedException expected) {
            // Before the survivors shrink: they must not have to close what they never got.
            return communicators.count();
        }
        return communicators.count();
    }
}
