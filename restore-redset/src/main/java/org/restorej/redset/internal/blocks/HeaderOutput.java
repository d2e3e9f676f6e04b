package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.restorej.redset.internal.files.PendingFile;

/** Writes numbers to the start of a file, through a small buffer, and their checksum behind them. One thread. */
final class HeaderOutput {
    private static final int BUFFER_BYTES = 1 << 16;

    private final PendingFile file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32C checksum = new CRC32C();
    private long written;

    HeaderOutput(PendingFile file) {
        this.file = file;
    }

    void putInt(int value) throws IOException {
        require(Integer.BYTES).putInt(value);
    }

    void putLong(long value) throws IOException {
        require(Long.BYTES).putLong(value);
    }

    private ByteBuffer require(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
        return buffer;
    }

    void finish() throws IOException {
        flush();
        buffer.putInt((int) checksum.getValue());
        flush();
    }

    private void flush() throws IOException {
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes).clear();
        checksum.update(bytes);
        file.write(written, bytes);
        written += bytes.length;
    }
}
