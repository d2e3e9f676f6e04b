package org.restorej.comm;

/** Reductions of other types by those of {@code long} and {@code double}. */
final class Reductions {
    private Reductions() {}

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
