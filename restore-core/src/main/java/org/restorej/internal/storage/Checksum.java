package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** CRC-32C (Castagnoli; RFC 3720, section 12.1) of memory: by the processor's instruction, at about memory speed. */
public final class Checksum {
    /** A buffer can't be longer than its {@code int} length says. */
    private static final long LONGEST_BUFFER = 1 << 30;

    private Checksum() {}

    /** The checksum of some bytes, off-heap or on it. */
    public static int of(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        add(crc, bytes);
        return (int) crc.getValue();
    }

    /** Adds bytes to those that a checksum is of. */
    static void add(CRC32C crc, MemorySegment bytes) {
        for (long offset = 0; offset < bytes.byteSize(); offset += LONGEST_BUFFER) {
            crc.update(bytes.asSlice(offset, Math.min(LONGEST_BUFFER, bytes.byteSize() - offset)).asByteBuffer());
        }
    }
}
