package org.restorej.internal.risk;

import java.math.BigDecimal;
import java.math.MathContext;

/** The published formula for disjoint groups of PEs, in 60 digits. */
public final class DisjointGroups {
    private static final MathContext DIGITS = new MathContext(60);
    private static final double NEGLIGIBLE = 1e-25;

    private DisjointGroups() {}

    /**
     * {@code sum over j = 1 .. f / K of (-1)^(j + 1) C(P / K, j) C(P - jK, f - jK) / C(P, f)}.
     *
     * @param peCount number of PEs P
     * @param size of a group, K
     * @param failures number of failed PEs f
     */
    public static double lossProbability(int peCount, int size, int failures) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal term = BigDecimal.ONE.negate();
        for (int group = 0; (group + 1) * size <= failures; group++) {
            term = term.multiply(BigDecimal.valueOf(group - peCount / size), DIGITS)
                    .divide(BigDecimal.valueOf(group + 1), DIGITS);
            for (int i = group * size; i < (group + 1) * size; i++) {
                term = term.multiply(BigDecimal.valueOf(failures - i), DIGITS)
                        .divide(BigDecimal.valueOf(peCount - i), DIGITS);
            }
            sum = sum.add(term, DIGITS);
            if (Math.abs(term.doubleValue()) < NEGLIGIBLE * Math.abs(sum.doubleValue())) {
                break;
            }
        }
        return sum.doubleValue();
    }
}
