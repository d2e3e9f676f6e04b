package org.restorej.redset;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.BlockFallback;
import org.restorej.BlockSizes;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.redset.blocks.CheckpointFiles;

/**
 * Reads blocks that no memory has any more from the files of the newest checkpoint. Talks to nobody, as it is called on
 * single PEs: it reaches what its machine reaches. One thread.
 */
final class SecondTier implements BlockFallback, AutoCloseable {
    private @Nullable Content content;
    private @Nullable CheckpointFiles files;

    /** What the files have: a generation of a store. */
    private record Content(ReStore store, long generation, List<Path> directories, long savedMillis) {}

    /** From now on the files of this checkpoint are read. */
    void use(ReStore store, List<Path> directories, long savedMillis) {
        close();
        content = new Content(store, store.generation(), directories, savedMillis);
    }

    private CheckpointFiles files() throws IOException {
        Content current = content;
        if (current == null) {
            throw new IOException("no checkpoint was saved or loaded");
        }
        if (current.store().generation() != current.generation()) {
            throw new IOException("the checkpoint has generation " + current.generation() + ", and the store is at "
                    + current.store().generation());
        }
        CheckpointFiles opened = files;
        if (opened == null) {
            opened = CheckpointFiles.open(current.directories());
            opened.takeOnly(current.savedMillis());
            files = opened;
        }
        return opened;
    }

    @Override
    public void read(BlockRange blocks, MemorySegment destination) throws IOException {
        files().read(blocks, destination);
    }

    @Override
    public BlockSizes sizes(BlockRange blocks) throws IOException {
        return BlockSizes.of(blocks, files().sizes(blocks));
    }

    /** Removes temporary files. */
    @Override
    public void close() {
        if (files != null) {
            files.close();
            files = null;
        }
    }
}
