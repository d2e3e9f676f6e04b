package org.restorej.internal.erasure;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Checks of arguments shared by all kernels, so that a native one is never called with an invalid address. */
final class SegmentChecks {
    private SegmentChecks() {}

    static void check(MemorySegment source, MemorySegment target) {
        checkOne(source, "source", target.byteSize());
        checkOne(target, "target", target.byteSize());
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("target must be writable");
        }
    }

    static void checkApply(GaloisMatrix matrix, MemorySegment[] sources, MemorySegment[] targets) {
        if (sources.length != matrix.columns()) {
            throw new IllegalArgumentException(
                    "sources must be as many as the columns, " + matrix.columns() + ": sources=" + sources.length);
        }
        long bytes = checkTargets(matrix, targets);
        for (MemorySegment source : sources) {
            checkOne(source, "source", bytes);
        }
    }

    static void checkAccumulate(GaloisMatrix matrix, int column, MemorySegment source, MemorySegment[] targets) {
        Objects.checkIndex(column, matrix.columns());
        checkOne(source, "source", checkTargets(matrix, targets));
    }

    private static long checkTargets(GaloisMatrix matrix, MemorySegment[] targets) {
        if (targets.length != matrix.rows()) {
            throw new IllegalArgumentException(
                    "targets must be as many as the rows, " + matrix.rows() + ": targets=" + targets.length);
        }
        long bytes = targets[0].byteSize();
        for (MemorySegment target : targets) {
            checkOne(target, "target", bytes);
            if (target.isReadOnly()) {
                throw new IllegalArgumentException("target must be writable");
            }
        }
        return bytes;
    }

    private static void checkOne(MemorySegment segment, String role, long bytes) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(role + " must be off-heap");
        }
        if (!segment.scope().isAlive() || !segment.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalArgumentException(role + " must be open, and this thread's to use");
        }
        if (segment.byteSize() != bytes) {
            throw new IllegalArgumentException(
                    "segments must have the same size, " + bytes + " bytes: " + role + " has "
                            + segment.byteSize());
        }
    }
}
