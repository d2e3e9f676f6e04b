package org.restorej.bench.mpi;

/** Re-replication by the survivors after the last rank has left. Needs more PEs than replicas. */
public class ReplenishBenchmark extends StoreBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        return new StoreReplenish(shape(ranks), ranks);
    }
}
