package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Checksums of bytes of files. CRC-32C unless stated otherwise: hardware computes it faster than any disk reads. */
public final class FileChecksums {
    /** Fits in the second-level cache, where the checksum is computed. */
    private static final int BUFFER_BYTES = 1 << 18;

    private FileChecksums() {}

    /**
     * The checksum of consecutive bytes of a file.
     *
     * @throws IOException if the file can't be read or is too short
     */
    public static int of(FileChannel channel, long position, long bytes) throws IOException {
        return of(channel, position, bytes, new CRC32C());
    }

    /** As {@link #of(FileChannel, long, long)}, with another 32-bit checksum in its initial state. */
    public static int of(FileChannel channel, long position, long bytes, Checksum checksum) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Math.clamp(bytes, 1, BUFFER_BYTES));
        long done = 0;
        while (done < bytes) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - done));
            int read = channel.read(buffer, position + done);
            if (read < 0) {
                throw new IOException("the file ends " + (bytes - done) + " bytes too early");
            }
            checksum.update(buffer.flip());
            done += read;
        }
        return (int) checksum.getValue();
    }
}
