package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * CRC-32C (Castagnoli; RFC 3720, section 12.1) of memory, computed by a processor instruction at about memory speed.
 */
public final class Checksum {
    /** Below the limit of a buffer, whose length is an {@code int}. */
    private static final long LONGEST_BUFFER = 1 << 30;

    private Checksum() {}

    /** The checksum of bytes on or off the heap. */
    public static int of(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        add(crc, bytes);
        return (int) crc.getValue();
    }

    /** Adds bytes to a checksum. */
    static void add(CRC32C crc, MemorySegment bytes) {
        for (long offset = 0; offset < bytes.byteSize(); offset += LONGEST_BUFFER) {
            crc.update(bytes.asSlice(offset, Math.min(LONGEST_BUFFER, bytes.byteSize() - offset)).asByteBuffer());
        }
    }
}
