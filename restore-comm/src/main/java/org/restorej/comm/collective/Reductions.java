package org.restorej.comm.collective;

import org.restorej.comm.Reduction;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.settlement.Settlement;

/** Reductions of other types than integers of 64 bits, by those and by sums of doubles. */
final class Reductions {
    private Reductions() {}

    /**
     * See {@link org.restorej.comm.Communicator#allReduce(double[], Reduction)}; the same on all transports, so that
     * results don't depend on what an MPI makes of NaN and -0.0: Open MPI's MPI_MAX loses a NaN, MPICH's gives different
     * ranks different results. Minima and maxima are those of integers in the same order; every NaN of a result is
     * {@link Double#NaN}.
     */
    static void doubles(CollectiveCommunicator communicator, double[] values, Reduction reduction) {
        long[] keys;
        try {
            MessageArguments.checkAllReduce(values, reduction);
            keys = new long[reduction == Reduction.SUM ? 0 : values.length];
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(communicator, met);
        }
        if (reduction == Reduction.SUM) {
            communicator.sum(values);
            for (int i = 0; i < values.length; i++) {
                values[i] = Double.longBitsToDouble(Double.doubleToLongBits(values[i]));
            }
            return;
        }
        long notANumber = reduction == Reduction.MIN ? Long.MIN_VALUE : Long.MAX_VALUE;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = Double.isNaN(values[i]) ? notANumber : inOrder(Double.doubleToRawLongBits(values[i]));
        }
        communicator.reduceOrderOfDoubles(keys, reduction);
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

    /** See {@link org.restorej.comm.Communicator#allReduce(int[], Reduction)}. */
    static void ints(CollectiveCommunicator communicator, int[] values, Reduction reduction) {
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

    /** See {@link org.restorej.comm.Communicator#allReduce(float[], Reduction)}. */
    static void floats(CollectiveCommunicator communicator, float[] values, Reduction reduction) {
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
}
