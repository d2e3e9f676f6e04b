package org.restorej.redset;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.block.BlockRanges;
import org.restorej.redset.internal.blocks.BlockFileWriter;
import org.restorej.redset.internal.blocks.Origin;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Writes pulled blocks to a file, which it owns. A failure of the disk is kept until {@link #publish}, since the
 * others are still pulling. One thread.
 */
final class ShareWriter implements PulledBlocks.Consumer, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ShareWriter.class.getName());

    private @Nullable BlockFileWriter file;
    private @Nullable Throwable failure;

    /** Begins the file. */
    void begin(FileOperations operations, Path path, Origin origin, ReStore store, BlockRanges share)
            throws IOException {
        file = new BlockFileWriter(operations, path, origin, store.blockCount(),
                store.hasVariableBlockSizes() ? 0 : store.blockSizeBytes(), share);
    }

    private BlockFileWriter file() {
        BlockFileWriter begun = file;
        if (begun == null) {
            throw new IllegalStateException("the file has not been begun");
        }
        return begun;
    }

    @Override
    public void accept(long blockId, MemorySegment block) {
        if (failure == null) {
            try {
                file().append(block);
            } catch (IOException | RuntimeException | Error thrown) {
                // Whatever it is: the others are at the next pull.
                failure = thrown;
            }
        }
    }

    /** Completes the file, or throws the first failure. */
    void publish() throws IOException {
        switch (failure) {
            case null -> file().publish();
            case IOException thrown -> throw thrown;
            case Error thrown -> throw thrown;
            default -> throw new IllegalStateException("writing blocks failed", failure);
        }
    }

    /** Removes what was not completed; nothing to do when the file was never begun. */
    @Override
    public void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException thrown) {
            LOG.log(System.Logger.Level.WARNING, "a temporary file stays behind: {0}", thrown.getMessage());
        }
    }
}
