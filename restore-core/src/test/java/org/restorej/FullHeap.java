package org.restorej;

import java.util.ArrayList;
import java.util.List;

/** What may fill the heap, so that not even the smallest object fits beside it. */
final class FullHeap {
    private static final int LARGEST_PIECE = 1 << 22;
    /** More than it takes. */
    private static final int MAX_PIECES = 2000;

    private final List<Object> pieces = new ArrayList<>(MAX_PIECES);

    /** Fills the heap. */
    void fill() {
        for (int bytes = LARGEST_PIECE; bytes >= 8;) {
            try {
                while (pieces.size() < MAX_PIECES) {
                    pieces.add(new byte[bytes]);
                }
                return;
            } catch (OutOfMemoryError full) {
                bytes /= 2;
            }
        }
    }

    /** Makes room. */
    void clear() {
        pieces.clear();
    }
}
