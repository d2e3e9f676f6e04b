package org.restorej.comm.collective;

import java.util.Arrays;
import java.util.Objects;
import org.restorej.comm.Collective;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

/**
 * Exact sums of doubles over all PEs, each rounded once to the nearest double. The result is the same to the last bit
 * for any number of PEs and any distribution and order of the terms, also after failures.
 *
 * <pre>{@code
 * sums.clear();
 * for (double term : mine) {
 *     sums.add(0, term);
 * }
 * sums.allReduce(communicator);
 * double total = sums.value(0);
 * }</pre>
 *
 * <p>
 * The terms themselves must be reproducible, so each should depend on its block alone. The sum of no terms is 0, never
 * -0.0. Infinities and NaN give the result of adding doubles: both infinities give NaN. Unlike in that, no intermediate
 * result overflows.
 *
 * <p>
 * 568 bytes a sum, allocated once. Not thread-safe. Method: the long accumulator of Kulisch ("Computer Arithmetic and
 * Validity", 2008), with delayed carries, as in Collange, Defour, Graillat, Iakymchuk, "Numerical reproducibility for
 * the parallel reduction on multi- and many-core architectures" (Parallel Computing 49, 2015).
 */
public final class ReproducibleSums {
    /** A word grows by less than 2^32 in each addition, and could overflow after twice as many. */
    private static final int ADDITIONS_BETWEEN_CARRIES = 1 << 30;

    private final long[] words;
    private final int count;
    private int additionsLeft = ADDITIONS_BETWEEN_CARRIES;

    /**
     * Creates empty sums.
     *
     * @param count number of sums, at least 1; the same on all PEs
     */
    public ReproducibleSums(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1: count=" + count);
        }
        this.count = count;
        words = new long[Math.multiplyExact(count, LongAccumulator.WORDS)];
    }

    /** Number of sums. */
    public int count() {
        return count;
    }

    /** Makes all sums empty. */
    public void clear() {
        Arrays.fill(words, 0);
        additionsLeft = ADDITIONS_BETWEEN_CARRIES;
    }

    /** Adds a term to a sum. Takes some nanoseconds. */
    public void add(int sum, double term) {
        Objects.checkIndex(sum, count);
        if (additionsLeft == 0) {
            carry();
        }
        additionsLeft--;
        LongAccumulator.add(words, sum * LongAccumulator.WORDS, term);
    }

    /**
     * Adds up the sums of all PEs, so that each PE has the total: one reduction of 71 longs a sum. Called by all PEs
     * with the same number of sums; blocks. After an exception the sums are undefined until cleared.
     */
    @Collective
    public void allReduce(Communicator communicator) {
        // Words without carries are below 2^32, so they don't overflow on any number of PEs.
        carry();
        communicator.allReduce(words, Reduction.SUM);
        carry();
    }

    /**
     * A sum, rounded to the nearest double, ties to even; infinite if it is too large. Takes some hundred nanoseconds.
     */
    public double value(int sum) {
        int start = Objects.checkIndex(sum, count) * LongAccumulator.WORDS;
        LongAccumulator.carry(words, start);
        return LongAccumulator.value(words, start);
    }

    private void carry() {
        for (int sum = 0; sum < count; sum++) {
            LongAccumulator.carry(words, sum * LongAccumulator.WORDS);
        }
        additionsLeft = ADDITIONS_BETWEEN_CARRIES;
    }
}
