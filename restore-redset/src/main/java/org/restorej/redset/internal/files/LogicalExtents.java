package org.restorej.redset.internal.files;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

    /**
     * Bytes of a range that are in one file.
     *
     * @param file index of the file
     * @param positionInFile of the first byte, in the file
     * @param offset of the first byte, in the range
     * @param bytes length, at least 1
     */
    record Part(int file, long positionInFile, long offset, long bytes) {}

    private long totalBytes() {
        return starts[starts.length - 1];
    }

    long size(int file) {
        return starts[file + 1] - starts[file];
    }

    private int count() {
        return starts.length - 1;
    }

    /** How many bytes of a range are before the end of the last file. */
    long covered(long position, long bytes) {
        return Math.clamp(totalBytes() - position, 0, bytes);
    }

    /** Cuts what of a range is before the end of the last file where one file ends and another begins. */
    List<Part> parts(long position, long bytes) {
        List<Part> parts = new ArrayList<>();
        long covered = covered(position, bytes);
        int file = fileAt(position);
        for (long offset = 0; offset < covered; file++) {
            long positionInFile = position + offset - starts[file];
            long partBytes = Math.min(size(file) - positionInFile, covered - offset);
            if (partBytes > 0) {
                parts.add(new Part(file, positionInFile, offset, partBytes));
                offset += partBytes;
            }
        }
        return parts;
    }

    /** A file at or before the position, with none but empty ones between. */
    private int fileAt(long position) {
        int found = Arrays.binarySearch(starts, position);
        // Several starts are equal when files are empty; any of them will do, as empty files are skipped.
        int file = found >= 0 ? found : -found - 2;
        return Math.clamp(file, 0, Math.max(0, count() - 1));
    }
}
