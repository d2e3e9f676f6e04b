package org.restorej.demo.phylo.likelihood;

/**
 * The inner loops: for one category of rates and the first {@code count} patterns of a group, a matrix times a view or
 * a tip, stored or multiplied into another view.
 *
 * <p>
 * What the compiler (C2 of JDK 25) needs to use vector instructions: every array read and written at the loop's own
 * index, a plane an array of its own, since with offsets planes might overlap, and a short body: one row of the matrix
 * a loop takes 1.0 ns a pattern and category, all four rows in one loop, too long to be unrolled, 3.5 ns. Products are
 * not fused with sums, since {@link Math#fma} takes microseconds on processors without the instruction.
 */
final class ViewKernels {
    /**
     * Numbers below this are scaled up: far above the smallest double, also after two more products of such numbers.
     */
    static final double SCALE_THRESHOLD = 0x1p-256;
    /** Logarithm to base 2 of the threshold. */
    static final int LOG2_SCALE_THRESHOLD = -256;

    private static final double SCALE_FACTOR = 0x1p256;

    private ViewKernels() {}

    /** {@code out = matrix * in}. */
    static void store(double[] matrix, int base, double[][] in, double[][] out, int plane, int count) {
        for (int row = 0; row < CategoryMatrices.STATES; row++) {
            storeRow(matrix, base + row * CategoryMatrices.STATES, in[plane], in[plane + 1], in[plane + 2],
                    in[plane + 3], out[plane + row], count);
        }
    }

    private static void storeRow(double[] m, int base, double[] in0, double[] in1, double[] in2, double[] in3,
            double[] out, int count) {
        double m0 = m[base], m1 = m[base + 1], m2 = m[base + 2], m3 = m[base + 3];
        for (int i = 0; i < count; i++) {
            out[i] = m0 * in0[i] + m1 * in1[i] + m2 * in2[i] + m3 * in3[i];
        }
    }

    /** {@code out = out * (matrix * in)}, element by element. */
    static void multiply(double[] matrix, int base, double[][] in, double[][] out, int plane, int count) {
        for (int row = 0; row < CategoryMatrices.STATES; row++) {
            multiplyRow(matrix, base + row * CategoryMatrices.STATES, in[plane], in[plane + 1], in[plane + 2],
                    in[plane + 3], out[plane + row], count);
        }
    }

    private static void multiplyRow(double[] m, int base, double[] in0, double[] in1, double[] in2, double[] in3,
            double[] out, int count) {
        double m0 = m[base], m1 = m[base + 1], m2 = m[base + 2], m3 = m[base + 3];
        for (int i = 0; i < count; i++) {
            out[i] *= m0 * in0[i] + m1 * in1[i] + m2 * in2[i] + m3 * in3[i];
        }
    }

    /** {@code out = matrix * tip}, by table. */
    static void storeTip(double[] products, int base, byte[] masks, double[][] out, int plane, int count) {
        double[] out0 = out[plane], out1 = out[plane + 1], out2 = out[plane + 2], out3 = out[plane + 3];
        for (int i = 0; i < count; i++) {
            int entry = base + masks[i] * CategoryMatrices.STATES;
            out0[i] = products[entry];
            out1[i] = products[entry + 1];
            out2[i] = products[entry + 2];
            out3[i] = products[entry + 3];
        }
    }

    /** {@code out = out * (matrix * tip)}, by table. */
    static void multiplyTip(double[] products, int base, byte[] masks, double[][] out, int plane, int count) {
        double[] out0 = out[plane], out1 = out[plane + 1], out2 = out[plane + 2], out3 = out[plane + 3];
        for (int i = 0; i < count; i++) {
            int entry = base + masks[i] * CategoryMatrices.STATES;
            out0[i] *= products[entry];
            out1[i] *= products[entry + 1];
            out2[i] *= products[entry + 2];
            out3[i] *= products[entry + 3];
        }
    }

    /** Scales the patterns whose four numbers are all below the threshold, and counts how often. */
    static void rescale(double[][] planes, int plane, int[] scales, int count) {
        double[] p0 = planes[plane], p1 = planes[plane + 1], p2 = planes[plane + 2], p3 = planes[plane + 3];
        for (int i = 0; i < count; i++) {
            double largest = Math.max(Math.max(p0[i], p1[i]), Math.max(p2[i], p3[i]));
            while (largest < SCALE_THRESHOLD) {
                p0[i] *= SCALE_FACTOR;
                p1[i] *= SCALE_FACTOR;
                p2[i] *= SCALE_FACTOR;
                p3[i] *= SCALE_FACTOR;
                largest *= SCALE_FACTOR;
                scales[i]++;
            }
        }
    }

    /** {@code sums = sums + factor * plane}. */
    static void addMultiple(double factor, double[] plane, double[] sums, int count) {
        for (int i = 0; i < count; i++) {
            sums[i] += factor * plane[i];
        }
    }
}
