package org.restorej.internal.risk;

/**
 * The chance that all of some set are among random elements, when sets are disjoint and of any sizes.
 *
 * <p>
 * If every element were chosen with probability z, independently, it would be
 * {@code L(z) = 1 - product over the sets of (1 - z^size)}. With {@code z = x / (1 + x)}, what
 * {@code (1 + x)^n L(z)} has at {@code x^f} is the number of choices of f elements that contain a set, so the chance is
 * that coefficient by {@code C(n, f)}, the one of {@code (1 + x)^n}. Both are taken by Cauchy's formula, as means over
 * points of a circle through {@code x = f / (n - f)}, where the terms are largest and have next to no opposite signs.
 * With more points than n the means are exact; with 24 standard deviations of the number of elements chosen what is
 * left out is below 1e-100. L is formed from logarithms, without a difference of large numbers: relative error some
 * 1e-12, also where the chance is tiny. Time {@code O(K sqrt(f))}, at most some ten milliseconds at {@code n = 2^25}.
 * Immutable.
 */
final class DisjointSets {
    private static final int FEWEST_POINTS = 65;
    private static final double DEVIATIONS = 24;
    private static final double NEGLIGIBLE_LOG = -200;

    /** e to this is far below what a double holds, and far above what the difference of 1 matters to. */
    private static final double GREAT_LOG = 300;

    private final int population;
    private final int[] countBySize;

    /**
     * Disjoint sets.
     *
     * @param population number of elements n
     * @param countBySize at index s the number of sets of s elements
     */
    DisjointSets(int population, int[] countBySize) {
        this.population = population;
        this.countBySize = countBySize.clone();
    }

    /** Probability that {@code chosen} random elements contain a set; at least one of them, and not all. */
    double probability(int chosen) {
        double share = (double) chosen / population;
        double deviation = Math.sqrt(chosen * (1 - share));
        // An odd number, so that none of the points is -1, where z is infinite.
        long points = Math.min(population + 1L, (long) (FEWEST_POINTS + DEVIATIONS * deviation)) | 1;
        double hits = 0;
        double all = 0;
        // Points above and below the real axis have conjugate terms.
        for (long point = 0; point <= points / 2; point++) {
            Term term = term(chosen, share, 2 * Math.PI * point / points);
            double twice = point == 0 ? 1 : 2;
            hits += twice * term.hits();
            all += twice * term.all();
        }
        return Math.clamp(hits / all, 0, 1);
    }

    /** Real parts of {@code (1 + x)^n x^-f}, once with L and once without, each by the value for angle 0. */
    private record Term(double hits, double all) {
        static final Term NOTHING = new Term(0, 0);
    }

    private Term term(int chosen, double share, double angle) {
        double half = Math.sin(angle / 2);
        // (1 + x) / (1 + |x|) = 1 + share * (e^(i angle) - 1)
        double real = -2 * share * half * half;
        double imaginary = share * Math.sin(angle);
        double logLength = 0.5 * Math.log1p(2 * real + real * real + imaginary * imaginary);
        double turn = Math.atan2(imaginary, 1 + real);
        double logWeight = population * logLength;
        double logZ = Math.log(share) - logLength;
        double largest = logWeight;
        double sumReal = 0;
        double sumImaginary = 0;
        for (int size = 1; size < countBySize.length; size++) {
            double length = Math.exp(size * logZ);
            double u = -length * Math.cos(size * (angle - turn));
            double v = -length * Math.sin(size * (angle - turn));
            largest += countBySize[size] * Math.log1p(length);
            sumReal += countBySize[size] * 0.5 * Math.log1p(2 * u + length * length);
            sumImaginary += countBySize[size] * Math.atan2(v, 1 + u);
        }
        if (largest < NEGLIGIBLE_LOG) {
            return Term.NOTHING;
        }
        double weight = Math.exp(logWeight);
        double phase = population * turn - chosen * angle;
        // weight * -expm1(sum). Where weight vanishes e^sum may be beyond all bounds, and only their product is a
        // number.
        boolean bounded = sumReal < GREAT_LOG;
        double kept = bounded ? weight * Math.exp(sumReal) : Math.exp(logWeight + sumReal);
        double grown = bounded ? weight * Math.expm1(sumReal) : kept - weight;
        double halfSine = Math.sin(sumImaginary / 2);
        double lossReal = 2 * kept * halfSine * halfSine - grown;
        double lossImaginary = -kept * Math.sin(sumImaginary);
        return new Term(lossReal * Math.cos(phase) - lossImaginary * Math.sin(phase), weight * Math.cos(phase));
    }
}
