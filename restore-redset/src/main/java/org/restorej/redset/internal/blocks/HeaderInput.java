package org.restorej.redset.internal.blocks;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads numbers from the start of a file, through a small buffer. One thread. */
final class HeaderInput {
    private static final int BUFFER_BYTES = 1 << 13;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private long read;

    HeaderInput(FileChannel channel) {
        this.channel = channel;
    }

    int getInt() throws IOException {
        return require(Integer.BYTES).getInt();
    }

    long getLong() throws IOException {
        return require(Long.BYTES).getLong();
    }

    private ByteBuffer require(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            buffer.compact();
            while (buffer.position() < bytes) {
                int count = channel.read(buffer, read);
                if (count < 0) {
                    throw new EOFException("the file ends in its header");
                }
                read += count;
            }
            buffer.flip();
        }
        return buffer;
    }
}
