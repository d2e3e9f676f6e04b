package org.restorej.internal.access;

/** Data of a loop whose submission is already a copy, which iterations don't change. */
public interface CopiedData {
    /** Called when the copy is no longer needed: the generation is committed or discarded. */
    void submitted();
}
