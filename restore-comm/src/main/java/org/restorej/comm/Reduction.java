package org.restorej.comm;

/** How to combine values of several PEs, element by element. */
public enum Reduction {
    /** Sum. */
    SUM,
    /** Minimum. */
    MIN,
    /** Maximum. */
    MAX;

    /** Combines two values. */
    public long combine(long a, long b) {
        return switch (this) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }
}
