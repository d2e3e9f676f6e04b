package org.restorej.bench.mpi;

import java.util.Arrays;
import org.openjdk.jmh.annotations.Param;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.collective.ReproducibleSums;

/** Sums over all PEs: the same to the last bit in any order, against MPI's allreduce of doubles, which are not. */
public class SumsBenchmark extends CollectiveBenchmark {
    /** How many sums at once. */
    @Param({"1", "64", "4096"})
    int sums;

    /** Ours or MPI's. */
    @Param({"reproducible", "allreduce"})
    String method = "reproducible";

    @Override
    Exchange open(RankWorld ranks) {
        return switch (method) {
            case "reproducible" -> new Reproducible(ranks.communicator(), sums);
            case "allreduce" -> new Plain(ranks.communicator(), sums);
            default -> throw StoreBenchmark.unknown(method);
        };
    }

    /** Each PE adds one term to each sum. */
    private abstract static class Sums implements Exchange {
        final Communicator communicator;
        final double[] results;

        Sums(Communicator communicator, int count) {
            this.communicator = communicator;
            results = new double[count];
        }

        final double term(int sum) {
            return (sum + 1.0) * (communicator.rank() + 1);
        }

        @Override
        public final long bytes() {
            return (long) results.length * Double.BYTES;
        }

        @Override
        public final void clear() {
            Arrays.fill(results, Double.NaN);
        }

        @Override
        public final void check() {
            double ranks = communicator.size() * (communicator.size() + 1) / 2.0;
            for (int sum = 0; sum < results.length; sum++) {
                if (results[sum] != (sum + 1) * ranks) {
                    throw new WrongBytesException("sum " + sum + " is " + results[sum] + " and not "
                            + (sum + 1) * ranks);
                }
            }
        }

        @Override
        public final void close() {
            // The communicator is the world's.
        }
    }

    private static final class Reproducible extends Sums {
        private final ReproducibleSums sums;

        Reproducible(Communicator communicator, int count) {
            super(communicator, count);
            sums = new ReproducibleSums(count);
        }

        @Override
        public void run() {
            sums.clear();
            for (int sum = 0; sum < results.length; sum++) {
                sums.add(sum, term(sum));
            }
            sums.allReduce(communicator);
            for (int sum = 0; sum < results.length; sum++) {
                results[sum] = sums.value(sum);
            }
        }
    }

    private static final class Plain extends Sums {
        Plain(Communicator communicator, int count) {
            super(communicator, count);
        }

        @Override
        public void run() {
            for (int sum = 0; sum < results.length; sum++) {
                results[sum] = term(sum);
            }
            communicator.allReduce(results, Reduction.SUM);
        }
    }
}
