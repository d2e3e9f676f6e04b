package org.restorej.redset;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.BlockConsumer;
import org.restorej.redset.blocks.BlockFileWriter;

/**
 * Writes pulled blocks to a file. Its disk may fail while others still pull, so a failure is kept until all can be told.
 * Owns the file. One thread.
 */
final class ShareWriter implements BlockConsumer, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ShareWriter.class.getName());

    private final BlockFileWriter file;
    private @Nullable IOException failure;

    ShareWriter(BlockFileWriter file) {
        this.file = file;
    }

    @Override
    public void accept(long blockId, MemorySegment block) {
        if (failure == null) {
            try {
                file.append(block);
            } catch (IOException thrown) {
                failure = thrown;
            }
        }
    }

    /** Completes the file, or throws what went wrong before. */
    void publish() throws IOException {
        if (failure != null) {
            throw failure;
        }
        file.publish();
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException thrown) {
            LOG.log(System.Logger.Level.WARNING, "a temporary file stays behind: {0}", thrown.getMessage());
        }
    }
}
