package org.restorej.bench.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.internal.erasure.GaloisMatrix;

/**
 * Pieces of a redundancy set in off-heap memory, as the encoders have them: one source a member, one target a checksum.
 * Lives as long as its arena.
 *
 * @param matrix the coefficients
 * @param sources a piece of each member
 * @param targets a piece of each checksum
 */
@SuppressWarnings("ArrayRecordComponent") // Handed to the kernels as they are; cases are never compared.
record KernelCase(GaloisMatrix matrix, MemorySegment[] sources, MemorySegment[] targets) {
    private static final long ALIGNMENT = 64;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    static KernelCase of(Arena arena, int members, int checksums, int pieceBytes) {
        MemorySegment[] sources = new MemorySegment[members];
        for (int member = 0; member < members; member++) {
            sources[member] = arena.allocate(pieceBytes, ALIGNMENT);
            for (int at = 0; at < pieceBytes; at++) {
                sources[member].set(ValueLayout.JAVA_BYTE, at, (byte) (at * 31 + member * 17 + (at >> 8)));
            }
        }
        MemorySegment[] targets = new MemorySegment[checksums];
        for (int checksum = 0; checksum < checksums; checksum++) {
            targets[checksum] = arena.allocate(pieceBytes, ALIGNMENT);
        }
        return new KernelCase(GaloisMatrix.reedSolomon(members, checksums), sources, targets);
    }

    /** The kernel of a name; when it is absent, an exception says why. */
    static ErasureKernel kernel(String name) {
        for (ErasureKernel kernel : ErasureKernels.available()) {
            if (kernel.name().equals(name)) {
                return kernel;
            }
        }
        throw new IllegalStateException("kernel " + name + " is absent: isal: "
                + ErasureKernels.isalAbsence().orElse("there"));
    }

    /** Bytes of all sources. */
    long sourceBytes() {
        return sources.length * sources[0].byteSize();
    }

    /** Makes what a kernel has computed unrecognisable. */
    void clearTargets() {
        for (MemorySegment target : targets) {
            target.fill((byte) 0);
        }
    }

    /** Fails unless the first target is the exclusive or of all sources. */
    void requireExclusiveOr(String kernel) {
        for (long at = 0; at < targets[0].byteSize(); at++) {
            byte expected = 0;
            for (MemorySegment source : sources) {
                expected ^= source.get(ValueLayout.JAVA_BYTE, at);
            }
            if (targets[0].get(ValueLayout.JAVA_BYTE, at) != expected) {
                throw new IllegalStateException(kernel + " computes a wrong exclusive or at byte " + at);
            }
        }
    }

    /** The FNV-1a hash of all targets. */
    long hashOfTargets() {
        long hash = FNV_OFFSET;
        for (MemorySegment target : targets) {
            for (long at = 0; at < target.byteSize(); at++) {
                hash = (hash ^ (target.get(ValueLayout.JAVA_BYTE, at) & 0xFF)) * FNV_PRIME;
            }
        }
        return hash;
    }
}
