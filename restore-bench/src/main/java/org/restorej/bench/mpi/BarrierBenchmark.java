package org.restorej.bench.mpi;

/** A barrier alone: what is in every other time, too. */
public class BarrierBenchmark extends CollectiveBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        return new NoTraffic();
    }

    /** Moves nothing: the barrier that follows each exchange is all that is measured. */
    private static final class NoTraffic implements Exchange {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void clear() {
            // It receives nothing.
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
    }
}
