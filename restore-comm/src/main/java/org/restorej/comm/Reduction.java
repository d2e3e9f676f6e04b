package org.restorej.comm;

import java.util.function.Consumer;
import org.restorej.internal.message.MessageArguments;

/** How values of several PEs become one, element by element. */
public enum Reduction {
    /** Sum. */
    SUM,
    /** Least value. */
    MIN,
    /** Greatest value. */
    MAX;

    /** Combines two values. */
    public long combine(long a, long b) {
        return switch (this) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }

    /**
     * For transports only. See {@link Communicator#allReduce(double[], Reduction)}; the same for all of them, so that results don't depend on what
     * an MPI makes of NaN and -0.0: Open MPI's MPI_MAX loses a NaN, MPICH's gives different ranks different results.
     * Minima and maxima are those of integers in the same order; every NaN of a result is {@link Double#NaN}.
     *
     * @param communicator whose PEs take part; revoked when this PE can't
     * @param values replaced by the result
     * @param sum adds the arrays of all PEs up, in place
     * @param extremes makes the same reduction of the integers of all PEs, in place
     */
    public static void doubles(Communicator communicator, double[] values, Reduction reduction, Consumer<double[]> sum,
            Consumer<long[]> extremes) {
        long[] keys;
        try {
            MessageArguments.checkAllReduce(values, reduction);
            keys = new long[reduction == SUM ? 0 : values.length];
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(communicator, met);
        }
        if (reduction == SUM) {
            sum.accept(values);
            for (int i = 0; i < values.length; i++) {
                values[i] = Double.longBitsToDouble(Double.doubleToLongBits(values[i]));
            }
            return;
        }
        long notANumber = reduction == MIN ? Long.MIN_VALUE : Long.MAX_VALUE;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = Double.isNaN(values[i]) ? notANumber : inOrder(Double.doubleToRawLongBits(values[i]));
        }
        extremes.accept(keys);
        for (int i = 0; i < keys.length; i++) {
            values[i] = keys[i] == notANumber ? Double.NaN : Double.longBitsToDouble(inOrder(keys[i]));
        }
    }

    /**
     * From the bits of a double to an integer, and back: integers are in the order of {@link Double#compare}, since of
     * a negative number all bits but the sign are inverted. Infinities are far from the least and the greatest integer.
     */
    private static long inOrder(long bits) {
        return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    /** See {@link Communicator#allReduce(int[], Reduction)}. */
    static void ints(Communicator communicator, int[] values, Reduction reduction) {
        MessageArguments.checkAllReduce(values, reduction);
        long[] wide = new long[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        communicator.allReduce(wide, reduction);
        for (int i = 0; i < wide.length; i++) {
            values[i] = (int) wide[i];
        }
    }

    /** See {@link Communicator#allReduce(float[], Reduction)}. */
    static void floats(Communicator communicator, float[] values, Reduction reduction) {
        MessageArguments.checkAllReduce(values, reduction);
        double[] wide = new double[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        communicator.allReduce(wide, reduction);
        for (int i = 0; i < wide.length; i++) {
            values[i] = (float) wide[i];
        }
    }

    /** See {@link Communicator#allReduce(long, Reduction)}. */
    static long ofLong(Communicator communicator, long value, Reduction reduction) {
        long[] values = {value};
        communicator.allReduce(values, reduction);
        return values[0];
    }

    /** See {@link Communicator#allReduce(double, Reduction)}. */
    static double ofDouble(Communicator communicator, double value, Reduction reduction) {
        double[] values = {value};
        communicator.allReduce(values, reduction);
        return values[0];
    }
}
