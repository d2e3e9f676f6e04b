package org.restorej.comm.collective;

/**
 * Arithmetic of one exact sum, which is stored in an array of longs together with others.
 *
 * <p>
 * The sum is an integer multiple of {@link Double#MIN_VALUE}, {@code sum over i of word[i] * 2^(32 i)}. Words are
 * signed, and may grow beyond 32 bits until carries are propagated. Afterwards all words are in {@code 0 .. 2^32 - 1},
 * except the highest, which has the sign. The largest double takes 2,098 bits, which leaves 78 bits for the number of
 * terms. Three more longs count terms that are not finite. Adding accumulators word by word adds their sums.
 */
final class LongAccumulator {
    /** Longs of an accumulator. */
    static final int WORDS = 71;

    private static final int DIGITS = 68;
    private static final int NOT_A_NUMBER = DIGITS;
    private static final int POSITIVE_INFINITY = DIGITS + 1;
    private static final int NEGATIVE_INFINITY = DIGITS + 2;

    private static final int DIGIT_BITS = Integer.SIZE;
    private static final long DIGIT_MASK = 0xFFFF_FFFFL;
    private static final int FRACTION_BITS = Double.PRECISION - 1;
    private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;
    private static final int EXPONENT_MASK = 0x7FF;
    /** {@code Double.MIN_VALUE} is 2 to this power. */
    private static final int MIN_EXPONENT = Double.MIN_EXPONENT - FRACTION_BITS;

    private LongAccumulator() {}

    /** Adds a double. */
    static void add(long[] words, int start, double term) {
        long bits = Double.doubleToRawLongBits(term);
        int exponent = (int) (bits >>> FRACTION_BITS) & EXPONENT_MASK;
        if (exponent == EXPONENT_MASK) {
            countSpecial(words, start, term);
            return;
        }
        long significand = bits & FRACTION_MASK;
        int shift = 0;
        if (exponent > 0) {
            significand |= 1L << FRACTION_BITS;
            shift = exponent - 1;
        }
        int word = start + shift / DIGIT_BITS;
        int offset = shift % DIGIT_BITS;
        long low = (significand << offset) & DIGIT_MASK;
        long middle = (significand >>> (DIGIT_BITS - offset)) & DIGIT_MASK;
        // In two steps, because a shift of a long by 64 has no effect.
        long high = (significand >>> DIGIT_BITS) >>> (DIGIT_BITS - offset);
        // 0 or -1: (x ^ sign) - sign is x or -x, without a branch that random signs would mispredict.
        long sign = bits >> (Long.SIZE - 1);
        words[word] += (low ^ sign) - sign;
        words[word + 1] += (middle ^ sign) - sign;
        words[word + 2] += (high ^ sign) - sign;
    }

    private static void countSpecial(long[] words, int start, double term) {
        if (Double.isNaN(term)) {
            words[start + NOT_A_NUMBER]++;
        } else {
            words[start + (term > 0 ? POSITIVE_INFINITY : NEGATIVE_INFINITY)]++;
        }
    }

    /** Propagates all carries; the sum is unchanged. */
    static void carry(long[] words, int start) {
        long carry = 0;
        int highest = start + DIGITS - 1;
        for (int word = start; word < highest; word++) {
            long digit = words[word] + carry;
            words[word] = digit & DIGIT_MASK;
            carry = digit >> DIGIT_BITS;
        }
        words[highest] += carry;
    }

    /** The rounded sum; carries must have been propagated. */
    static double value(long[] words, int start) {
        boolean positiveInfinity = words[start + POSITIVE_INFINITY] > 0;
        boolean negativeInfinity = words[start + NEGATIVE_INFINITY] > 0;
        if (words[start + NOT_A_NUMBER] > 0 || (positiveInfinity && negativeInfinity)) {
            return Double.NaN;
        }
        if (positiveInfinity || negativeInfinity) {
            return positiveInfinity ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        if (words[start + DIGITS - 1] >= 0) {
            return magnitude(words, start);
        }
        long[] negated = new long[DIGITS];
        for (int word = 0; word < DIGITS; word++) {
            negated[word] = -words[start + word];
        }
        carry(negated, 0);
        return -magnitude(negated, 0);
    }

    /** The value of a non-negative sum, from its 63 highest bits, the last of which is set if any lower bit is. */
    private static double magnitude(long[] words, int start) {
        int top = DIGITS - 1;
        while (top > 0 && words[start + top] == 0) {
            top--;
        }
        long leading = words[start + top];
        if (leading == 0) {
            return 0;
        }
        int zeros = Long.numberOfLeadingZeros(leading) - DIGIT_BITS;
        long next = digit(words, start, top - 1);
        long third = digit(words, start, top - 2);
        long highest = (((leading << DIGIT_BITS) | next) << zeros) | (third >>> (DIGIT_BITS - zeros));
        boolean below = ((third << zeros) & DIGIT_MASK) != 0 || anyBelow(words, start, top - 2);
        long rounded = (highest >>> 1) | (highest & 1) | (below ? 1 : 0);
        // Exact for subnormal results: they have no bits to round.
        return Math.scalb((double) rounded, DIGIT_BITS * (top - 1) - zeros + 1 + MIN_EXPONENT);
    }

    private static long digit(long[] words, int start, int word) {
        return word < 0 ? 0 : words[start + word];
    }

    private static boolean anyBelow(long[] words, int start, int end) {
        for (int word = 0; word < end; word++) {
            if (words[start + word] != 0) {
                return true;
            }
        }
        return false;
    }
}
