package org.restorej.comm;

/** How values of several PEs become one, element by element. */
public enum Reduction {
    /** Sum. */
    SUM,
    /** Least value. */
    MIN,
    /** Greatest value. */
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
