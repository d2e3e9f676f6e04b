package org.restorej.internal.plan;

/** What an operation moves: where blocks have different sizes, their sizes first. */
public enum Pass {
    SIZES, BLOCKS
}
