package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Warmup;
import org.restorej.bench.mpi.rival.Exchange;

/**
 * The first pull of a JVM's life: recovery is cold. Measured once in a job, so the job is run several times; what it has
 * brought is checked afterwards, like everything else, but not before.
 */
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(0)
public class FirstPullBenchmark extends StoreBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        return new StorePull(shape, shape.filledStore(ranks.communicator()),
                rank -> PullPattern.SHARE.wish(shape, rank.value()), false);
    }

    /** The first must be the measured one. */
    @Override
    boolean isCheckedBefore() {
        return false;
    }
}
