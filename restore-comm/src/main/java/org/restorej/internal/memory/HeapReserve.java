package org.restorej.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Memory on the heap that is kept for the moment when there is no other: a PE that meets an {@link OutOfMemoryError}
 * still has to tell the others, which takes a few small objects. Any thread.
 */
public final class HeapReserve {
    /** Telling takes some ten kilobytes, and as much again where classes are used for the first time. */
    private static final int PIECES = 32;

    /** In pieces, so that a heap that is nearly full again can be left with fewer of them. */
    private static final int PIECE_BYTES = 16 << 10;

    private static final byte[] @Nullable [] PIECES_KEPT = new byte[PIECES] @Nullable [];

    private static volatile boolean whole;

    static {
        keep();
    }

    private HeapReserve() {}

    /** Takes the memory, unless it is there; as much of it as can be had. */
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
                // The next call takes the rest.
            }
        }
    }

    /** Gives the memory up, so that what follows finds some. */
    public static void release() {
        synchronized (PIECES_KEPT) {
            for (int piece = 0; piece < PIECES; piece++) {
                PIECES_KEPT[piece] = null;
            }
            whole = false;
        }
    }
}
