package org.restorej.bench.bytes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of {@link KnownBytes}: is written, and compared later.
 *
 * @param path where it is
 * @param bytes its size, a multiple of {@link KnownBytes#WORD_BYTES}
 * @param sequence which sequence of bytes
 * @param offsetBytes place of its first byte in that sequence
 */
public record KnownFile(Path path, long bytes, long sequence, long offsetBytes) {
    /** Writes it; its folder must exist. */
    public void write() {
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            MemorySegment content = arena.allocate(bytes, 64);
            KnownBytes.fill(content, sequence, offsetBytes);
            ByteBuffer buffer = content.asByteBuffer();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Compares it with what {@link #write} wrote.
     *
     * @throws WrongBytesException at the first difference, also of the size
     */
    public void require() {
        try (Arena arena = Arena.ofShared(); FileChannel channel = FileChannel.open(path)) {
            if (channel.size() != bytes) {
                throw new WrongBytesException(path + " has " + channel.size() + " bytes and not " + bytes);
            }
            KnownBytes.require(channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena), sequence, offsetBytes,
                    path.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
