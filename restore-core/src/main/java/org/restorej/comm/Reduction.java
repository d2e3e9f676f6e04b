package org.restorej.comm;

/** How values of several PEs become one, element by element. */
public enum Reduction {
    /** Sum. */
    SUM,
    /** Least value. */
    MIN,
    /** Greatest value. */
    MAX
}
