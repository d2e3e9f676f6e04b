package org.restorej.demo.phylo.likelihood;

/**
 * The inner loops: for one category of rates and the first {@code count} patterns of a group, a matrix times a view or a
 * tip, stored or multiplied into another view.
 *
 * <p>
 * Every array is read and written at the loop's own index, and each plane is an array of its own: with offsets, the
 * compiler couldn't exclude that planes overlap, and would not use vector instructions. Products are not fused with
 * sums, since {@link Math#fma} takes microseconds on processors without the instruction.
 */
final class ViewKernels {
    /** Numbers below this are scaled up: far above the smallest double, also after two more products of such numbers. */
    static final double SCALE_THRESHOLD = 0x1p-256;
    /** Logarithm to base 2 of the threshold. */
    static final int LOG2_SCALE_THRESHOLD = -256;

    private static final double SCALE_FACTOR = 0x1p256;

    private ViewKernels() {}

    /** {@code out = matrix * in}. */
    static void store(double[] m, int base, double[][] in, double[][] out, int plane, int count) {
        double m00 = m[base], m01 = m[base + 1], m02 = m[base + 2], m03 = m[base + 3];
        double m10 = m[base + 4], m11 = m[base + 5], m12 = m[base + 6], m13 = m[base + 7];
        double m20 = m[base + 8], m21 = m[base + 9], m22 = m[base + 10], m23 = m[base + 11];
        double m30 = m[base + 12], m31 = m[base + 13], m32 = m[base + 14], m33 = m[base + 15];
        double[] in0 = in[plane], in1 = in[plane + 1], in2 = in[plane + 2], in3 = in[plane + 3];
        double[] out0 = out[plane], out1 = out[plane + 1], out2 = out[plane + 2], out3 = out[plane + 3];
        for (int i = 0; i < count; i++) {
            double x0 = in0[i], x1 = in1[i], x2 = in2[i], x3 = in3[i];
            out0[i] = m00 * x0 + m01 * x1 + m02 * x2 + m03 * x3;
            out1[i] = m10 * x0 + m11 * x1 + m12 * x2 + m13 * x3;
            out2[i] = m20 * x0 + m21 * x1 + m22 * x2 + m23 * x3;
            out3[i] = m30 * x0 + m31 * x1 + m32 * x2 + m33 * x3;
        }
    }

    /** {@code out = out * (matrix * in)}, element by element. */
    static void multiply(double[] m, int base, double[][] in, double[][] out, int plane, int count) {
        double m00 = m[base], m01 = m[base + 1], m02 = m[base + 2], m03 = m[base + 3];
        double m10 = m[base + 4], m11 = m[base + 5], m12 = m[base + 6], m13 = m[base + 7];
        double m20 = m[base + 8], m21 = m[base + 9], m22 = m[base + 10], m23 = m[base + 11];
        double m30 = m[base + 12], m31 = m[base + 13], m32 = m[base + 14], m33 = m[base + 15];
        double[] in0 = in[plane], in1 = in[plane + 1], in2 = in[plane + 2], in3 = in[plane + 3];
        double[] out0 = out[plane], out1 = out[plane + 1], out2 = out[plane + 2], out3 = out[plane + 3];
        for (int i = 0; i < count; i++) {
            double x0 = in0[i], x1 = in1[i], x2 = in2[i], x3 = in3[i];
            out0[i] *= m00 * x0 + m01 * x1 + m02 * x2 + m03 * x3;
            out1[i] *= m10 * x0 + m11 * x1 + m12 * x2 + m13 * x3;
            out2[i] *= m20 * x0 + m21 * x1 + m22 * x2 + m23 * x3;
            out3[i] *= m30 * x0 + m31 * x1 + m32 * x2 + m33 * x3;
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
