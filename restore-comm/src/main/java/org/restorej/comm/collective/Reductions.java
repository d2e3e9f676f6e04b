package org.restorej.comm.collective;

import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

/**
 * Reductions of other types, computed by reductions of 64-bit integers and sums of doubles. Minima and maxima of
 * doubles are computed on integers of the same order, so that they are equal on all transports: Open MPI's MPI_MAX
 * loses a NaN, and MPICH's gives different results on different ranks. Every NaN in a result is {@link Double#NaN}.
 */
final class Reductions {
    /** Names of the reduced types in messages. */
    static final String LONGS = "longs";
    static final String DOUBLES = "doubles";

    private Reductions() {}

    /** Combines checked arrays of {@code long} or {@code double} in place. */
    static void run(CollectiveCommunicator communicator, Object values, Reduction reduction) {
        if (!(values instanceof double[] doubles)) {
            communicator.combine(values, reduction, LONGS);
        } else if (reduction == Reduction.SUM) {
            communicator.combine(doubles, reduction, DOUBLES);
            normalize(doubles);
        } else {
            long[] keys = keys(doubles, reduction);
            communicator.combine(keys, reduction, DOUBLES);
            takeExtremes(keys, doubles, reduction);
        }
    }

    /** Starts combining checked arrays of any type of a reduction in place. */
    static Request begin(CollectiveCommunicator communicator, Object values, Reduction reduction) {
        return switch (values) {
            case int[] ints -> {
                long[] wide = wide(ints);
                yield new ResultRequest(begin(communicator, wide, reduction), () -> narrow(wide, ints));
            }
            case float[] floats -> {
                double[] wide = wide(floats);
                yield new ResultRequest(begin(communicator, wide, reduction), () -> narrow(wide, floats));
            }
            case double[] doubles -> begin(communicator, doubles, reduction);
            default -> communicator.iCombine(values, reduction, LONGS);
        };
    }

    private static Request begin(CollectiveCommunicator communicator, double[] doubles, Reduction reduction) {
        if (reduction == Reduction.SUM) {
            return new ResultRequest(communicator.iCombine(doubles, reduction, DOUBLES), () -> normalize(doubles));
        }
        long[] keys = keys(doubles, reduction);
        return new ResultRequest(communicator.iCombine(keys, reduction, DOUBLES),
                () -> takeExtremes(keys, doubles, reduction));
    }

    /** A copy of an array of {@code long} or {@code double}. */
    static Object copyOf(Object values) {
        return values instanceof long[] longs ? longs.clone() : ((double[]) values).clone();
    }

    private static void normalize(double[] sums) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] = normal(sums[i]);
        }
    }

    /** The value, with a NaN replaced by the canonical one. */
    static double normal(double value) {
        return Double.longBitsToDouble(Double.doubleToLongBits(value));
    }

    private static long[] keys(double[] values, Reduction reduction) {
        long[] keys = new long[values.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key(values[i], reduction);
        }
        return keys;
    }

    private static void takeExtremes(long[] keys, double[] values, Reduction reduction) {
        for (int i = 0; i < keys.length; i++) {
            values[i] = extreme(keys[i], reduction);
        }
    }

    /** An integer of the same order; that of a NaN is beyond all others. */
    static long key(double value, Reduction reduction) {
        return Double.isNaN(value) ? notANumber(reduction) : inOrder(Double.doubleToRawLongBits(value));
    }

    /** The value of a key. */
    static double extreme(long key, Reduction reduction) {
        return key == notANumber(reduction) ? Double.NaN : Double.longBitsToDouble(inOrder(key));
    }

    private static long notANumber(Reduction reduction) {
        return reduction == Reduction.MIN ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /**
     * Converts the bits of a double to an integer, and back. Integers have the order of {@link Double#compare}, since
     * all bits of a negative number except the sign are inverted. Infinities are far from the smallest and the largest
     * integer.
     */
    private static long inOrder(long bits) {
        return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    private static long[] wide(int[] values) {
        long[] wide = new long[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        return wide;
    }

    private static void narrow(long[] wide, int[] values) {
        for (int i = 0; i < wide.length; i++) {
            values[i] = (int) wide[i];
        }
    }

    private static double[] wide(float[] values) {
        double[] wide = new double[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        return wide;
    }

    private static void narrow(double[] wide, float[] values) {
        for (int i = 0; i < wide.length; i++) {
            values[i] = (float) wide[i];
        }
    }
}
