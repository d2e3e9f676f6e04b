package org.restorej.redset.internal.configuration;

import org.jspecify.annotations.Nullable;
import org.restorej.redset.Scheme;

/**
 * What a scheme is made of.
 *
 * @param type its name
 * @param failures how many replicas or checksums it has, or null for the default
 */
record SchemeWish(Entry type, @Nullable Entry failures) {
    private static final int DEFAULT_REPLICAS = 1;
    private static final int DEFAULT_CHECKSUMS = 2;

    /** The scheme, or null when it is none. */
    @Nullable
    Scheme read(Problems problems) {
        try {
            return switch (Problems.upperCase(type.value())) {
                case "SINGLE" -> withoutNumber(Scheme.single(), problems);
                case "PARTNER" -> Scheme.partner(number(DEFAULT_REPLICAS, problems));
                case "XOR" -> withoutNumber(Scheme.xor(), problems);
                case "RS" -> reedSolomon(number(DEFAULT_CHECKSUMS, problems));
                default -> {
                    problems.add(type.line(), type.named("TYPE") + " must be SINGLE, PARTNER, XOR or RS: "
                            + type.value());
                    yield null;
                }
            };
        } catch (IllegalArgumentException outOfRange) {
            problems.add((failures == null ? type : failures).line(), String.valueOf(outOfRange.getMessage()));
            return null;
        }
    }

    /** As SCR does it since release 3: the same redundancy, in the simpler format. */
    private static Scheme reedSolomon(int checksums) {
        return checksums == 1 ? Scheme.xor() : Scheme.rs(checksums);
    }

    /** A scheme that the number of failures doesn't count for, which must be one all the same. */
    private Scheme withoutNumber(Scheme scheme, Problems problems) {
        number(1, problems);
        return scheme;
    }

    private int number(int byDefault, Problems problems) {
        return failures == null
                ? byDefault
                : (int) problems.number(failures, "SET_FAILURES", 1, Integer.MAX_VALUE, byDefault);
    }

    /** The scheme that was read, and why. */
    Setting setting(Scheme scheme) {
        boolean reedSolomon = type.value().equalsIgnoreCase("RS");
        Entry number = scheme instanceof Scheme.Partner || reedSolomon ? failures : null;
        return new Setting("scheme", scheme.toString(), type.source()
                + (number == null ? "" : ", " + number.source())
                + (reedSolomon && scheme instanceof Scheme.Xor ? ": RS with one checksum is XOR" : ""));
    }
}
