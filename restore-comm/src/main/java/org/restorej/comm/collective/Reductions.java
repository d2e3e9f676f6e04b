package org.restorej.comm.collective;

import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.message.MessageArguments;

/**
 * Reductions of other types than integers of 64 bits, by those and by sums of doubles. Minima and maxima of doubles are
 * those of integers in the same order, on all transports, so that results don't depend on what an MPI makes of NaN and
 * -0.0: Open MPI's MPI_MAX loses a NaN, MPICH's gives different ranks different results. Every NaN of a result is
 * {@link Double#NaN}.
 */
final class Reductions {
    /** What is reduced, in messages. */
    static final String LONGS = "longs";
    static final String DOUBLES = "doubles";

    private Reductions() {}

    /** See {@link org.restorej.comm.Communicator#allReduce(double[], Reduction)}. */
    static void doubles(CollectiveCommunicator communicator, double[] values, Reduction reduction) {
        MessageArguments.checkAllReduce(values, reduction);
        if (reduction == Reduction.SUM) {
            communicator.combine(values, reduction, DOUBLES);
            normalize(values);
        } else {
            long[] keys = keys(values, reduction);
            communicator.combine(keys, reduction, DOUBLES);
            takeExtremes(keys, values, reduction);
        }
    }

    /** See {@link org.restorej.comm.Communicator#iAllReduce(double[], Reduction)}. */
    static Request beginDoubles(CollectiveCommunicator communicator, double[] values, Reduction reduction) {
        MessageArguments.checkAllReduce(values, reduction);
        if (reduction == Reduction.SUM) {
            return new ResultRequest(communicator.iCombine(values, reduction, DOUBLES), () -> normalize(values));
        }
        long[] keys = keys(values, reduction);
        return new ResultRequest(communicator.iCombine(keys, reduction, DOUBLES),
                () -> takeExtremes(keys, values, reduction));
    }

    private static void normalize(double[] sums) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] = normal(sums[i]);
        }
    }

    /** With the bits that every NaN of a result has. */
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

    /** An integer in the same order; that of a NaN is beyond all others. */
    static long key(double value, Reduction reduction) {
        return Double.isNaN(value) ? notANumber(reduction) : inOrder(Double.doubleToRawLongBits(value));
    }

    /** The value with this key. */
    static double extreme(long key, Reduction reduction) {
        return key == notANumber(reduction) ? Double.NaN : Double.longBitsToDouble(inOrder(key));
    }

    private static long notANumber(Reduction reduction) {
        return reduction == Reduction.MIN ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /**
     * From the bits of a double to an integer, and back: integers are in the order of {@link Double#compare}, since of
     * a negative number all bits but the sign are inverted. Infinities are far from the least and the greatest integer.
     */
    private static long inOrder(long bits) {
        return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    /** See {@link org.restorej.comm.Communicator#iAllReduce(int[], Reduction)}. */
    static Request beginInts(CollectiveCommunicator communicator, int[] values, Reduction reduction) {
        MessageArguments.checkAllReduce(values, reduction);
        long[] wide = wide(values);
        return new ResultRequest(communicator.iAllReduce(wide, reduction), () -> narrow(wide, values));
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

    /** See {@link org.restorej.comm.Communicator#iAllReduce(float[], Reduction)}. */
    static Request beginFloats(CollectiveCommunicator communicator, float[] values, Reduction reduction) {
        MessageArguments.checkAllReduce(values, reduction);
        double[] wide = wide(values);
        return new ResultRequest(communicator.iAllReduce(wide, reduction), () -> narrow(wide, values));
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

    /** See {@link org.restorej.comm.Communicator#reduce(long[], Reduction, int)}. */
    static void toOne(CollectiveCommunicator communicator, long[] values, Reduction reduction, int root) {
        MessageArguments.checkRank("root", root, communicator.size());
        MessageArguments.checkAllReduce(values, reduction);
        communicator.allReduce(communicator.rank() == root ? values : values.clone(), reduction);
    }

    /** See {@link org.restorej.comm.Communicator#reduce(double[], Reduction, int)}. */
    static void toOne(CollectiveCommunicator communicator, double[] values, Reduction reduction, int root) {
        MessageArguments.checkRank("root", root, communicator.size());
        MessageArguments.checkAllReduce(values, reduction);
        communicator.allReduce(communicator.rank() == root ? values : values.clone(), reduction);
    }
}
