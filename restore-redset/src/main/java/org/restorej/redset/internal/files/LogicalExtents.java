package org.restorej.redset.internal.files;

import java.util.Arrays;

/** Where the files of a rank are in its logical file, which is one after the other. Immutable. */
final class LogicalExtents {
    /** Begin of each file, and the end of the last. */
    private final long[] starts;

    LogicalExtents(long[] sizes) {
        starts = new long[sizes.length + 1];
        for (int i = 0; i < sizes.length; i++) {
            starts[i + 1] = Math.addExact(starts[i], sizes[i]);
        }
    }

    /** Called for each part of a range that lies in one file. */
    interface PartVisitor<E extends Exception> {
        /**
         * A part.
         *
         * @param file index of the file
         * @param positionInFile where the part begins in it
         * @param offset where the part begins in the range
         * @param bytes its length, at least 1
         */
        void visit(int file, long positionInFile, long offset, long bytes) throws E;
    }

    long totalBytes() {
        return starts[starts.length - 1];
    }

    long size(int file) {
        return starts[file + 1] - starts[file];
    }

    int count() {
        return starts.length - 1;
    }

    /** Visits the parts of the range in order, and returns how many bytes of it are before the end of the last file. */
    <E extends Exception> long visit(long position, long bytes, PartVisitor<E> visitor) throws E {
        long covered = Math.clamp(totalBytes() - position, 0, bytes);
        int file = fileAt(position);
        for (long offset = 0; offset < covered; file++) {
            long positionInFile = position + offset - starts[file];
            long part = Math.min(size(file) - positionInFile, covered - offset);
            if (part > 0) {
                visitor.visit(file, positionInFile, offset, part);
                offset += part;
            }
        }
        return covered;
    }

    /** A file at or before the position, with none but empty ones between. */
    private int fileAt(long position) {
        int found = Arrays.binarySearch(starts, position);
        // Several starts are equal when files are empty; any of them will do, as empty parts are skipped.
        int file = found >= 0 ? found : -found - 2;
        return Math.clamp(file, 0, Math.max(0, count() - 1));
    }
}
