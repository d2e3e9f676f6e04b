package org.restorej.internal.access;

/** Data of a loop whose submission is a copy already, which iterations don't change. */
public interface CopiedData {
    /** The copy isn't needed any more: the generation is committed, or given up. */
    void submitted();
}
