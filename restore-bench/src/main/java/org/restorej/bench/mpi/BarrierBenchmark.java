package org.restorej.bench.mpi;

import org.restorej.bench.mpi.rival.Exchange;

/** A barrier alone: what is in every other time, too. */
public class BarrierBenchmark extends CollectiveBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        return new NoTraffic();
    }
}
