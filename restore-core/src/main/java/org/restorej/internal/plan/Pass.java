package org.restorej.internal.plan;

/** What an operation moves: if blocks have different sizes, first their sizes. */
public enum Pass {
    SIZES, BLOCKS
}
