package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTreeBlock;

/** Reads small files, of a directory that anybody may have written to. */
public final class WholeFile {
    private WholeFile() {}

    /**
     * The bytes of a file that holds one block and nothing else.
     *
     * @throws IOException when it is no regular file, longer than any such file, or shrinks meanwhile
     */
    public static byte[] read(FileOperations operations, Path path) throws IOException {
        try (FileChannel channel = operations.openForReading(path)) {
            long sizeBytes = channel.size();
            if (sizeBytes > KvTreeBlock.MOST_BYTES) {
                throw new FormatException(
                        path + " must have at most " + KvTreeBlock.MOST_BYTES + " bytes: " + sizeBytes);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) sizeBytes);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes) < 0) {
                    throw new IOException(path + " became shorter while it was read");
                }
            }
            return bytes.array();
        }
    }
}
