package org.restorej.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * A reserve of heap memory: a PE with an {@link OutOfMemoryError} must still notify the others, which takes a few small
 * objects. Thread-safe.
 */
public final class HeapReserve {
    /** Notifying takes some ten kilobytes, and as much again if classes are used for the first time. */
    private static final int PIECES = 32;

    /** In pieces, so that part of the reserve can be rebuilt when the heap is nearly full. */
    private static final int PIECE_BYTES = 16 << 10;

    private static final byte[] @Nullable [] PIECES_KEPT = new byte[PIECES] @Nullable [];

    private static volatile boolean whole;

    static {
        keep();
    }

    private HeapReserve() {}

    /** Allocates the reserve, or as much of it as possible. */
    public static void keep() {
        if (whole) {
            return;
        }
        synchronized (PIECES_KEPT) {
            try {
                for (int piece = 0; piece < PIECES; piece++) {
                    if (PIECES_KEPT[piece] == null) {
                        PIECES_KEPT[piece] = new byte[PIECE_BYTES];
                    }
                }
                whole = true;
            } catch (OutOfMemoryError _) {
                // The next call allocates the rest.
            }
        }
    }

    /** Frees the reserve, so that memory is available. */
    public static void release() {
        synchronized (PIECES_KEPT) {
            for (int piece = 0; piece < PIECES; piece++) {
                PIECES_KEPT[piece] = null;
            }
            whole = false;
        }
    }
}
