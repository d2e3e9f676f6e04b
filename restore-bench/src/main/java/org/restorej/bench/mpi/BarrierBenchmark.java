package org.restorej.bench.mpi;

import org.restorej.bench.mpi.rival.Exchange;

/** A barrier alone: what is in every other time, too. */
public class BarrierBenchmark extends CollectiveBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        return new Exchange() {
            @Override
            public long bytes() {
                return 0;
            }

            @Override
            public void clear() {
                // It moves nothing.
            }

            @Override
            public void run() {
                // The barrier follows.
            }

            @Override
            public void check() {
                // There is nothing to check.
            }

            @Override
            public void close() {
                // There is nothing to close.
            }
        };
    }
}
