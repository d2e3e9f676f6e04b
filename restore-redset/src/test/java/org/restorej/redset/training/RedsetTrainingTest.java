package org.restorej.redset.training;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.throwing;

import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;

class RedsetTrainingTest {
    @Test
    void saysWhatFailedAndLeavesNoFiles() {
        // Too few for RS with 2 checksums.
        LocalCluster.run(2, world -> {
            IllegalArgumentException failure = throwing(IllegalArgumentException.class,
                    () -> new RedsetTraining().train(world), "two ranks");
            equal(0, failure.getSuppressed().length, "failures to delete files");
            return true;
        });
    }

    /** If it threw, ranks would start without a cache, and only be slower. */
    @Test
    void checkpointsAreSavedAndLoadedAgainAfterALoss() {
        LocalCluster.run(3, world -> {
            new CheckpointTraining().train(world);
            return true;
        });
    }
}
