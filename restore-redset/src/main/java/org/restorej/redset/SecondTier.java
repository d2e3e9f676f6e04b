package org.restorej.redset;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.block.BlockRange;
import org.restorej.ReStore;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Reads lost blocks from the files of the newest checkpoint, only for the store and generation that are in them. Called
 * on single ranks, so it doesn't communicate, and reads only files that this machine sees. Not thread-safe.
 */
final class SecondTier implements Fallback {
    private final FileOperations operations;
    private @Nullable Content content;
    private @Nullable CheckpointFiles files;

    /** The content of the files: a generation of a store. */
    private record Content(ReStore store, long generation, List<Path> directories, Origin.SaveId save) {}

    SecondTier(FileOperations operations) {
        this.operations = operations;
    }

    /** Sets the checkpoint whose files are read from now on. */
    void use(ReStore store, List<Path> directories, Origin.SaveId save) {
        files = null;
        content = new Content(store, store.generation(), directories, save);
    }

    @Override
    public Fallback forGeneration(ReStore store, long generation) {
        return new OfGeneration(store, generation);
    }

    @Override
    public void read(BlockRange blocks, MemorySegment destination) throws IOException {
        throw new IOException("the fallback of a checkpoint must be given to the builder of the store itself: "
                + "only then it is known which generation is read");
    }

    /** Reads for one generation of one store. */
    private final class OfGeneration implements Fallback {
        private final ReStore store;
        private final long generation;

        OfGeneration(ReStore store, long generation) {
            this.store = store;
            this.generation = generation;
        }

        @Override
        public void read(BlockRange blocks, MemorySegment destination) throws IOException {
            files(store, generation).read(blocks, destination);
        }

        @Override
        public BlockRange.Sizes sizes(BlockRange blocks) throws IOException {
            return BlockRange.Sizes.of(blocks, files(store, generation).sizes(blocks));
        }
    }

    private CheckpointFiles files(ReStore store, long generation) throws IOException {
        Content current = content;
        if (current == null) {
            throw new IOException("no checkpoint was saved or loaded");
        }
        if (current.store() != store) {
            throw new IOException("the checkpoint was saved from or loaded into another store than the one that reads");
        }
        if (current.generation() != generation) {
            throw new IOException("the checkpoint has generation " + current.generation()
                    + ", and the store is at " + generation);
        }
        CheckpointFiles opened = files;
        if (opened == null) {
            opened = CheckpointFiles.open(operations, current.directories(), CheckpointFiles.EXTENSION);
            opened.choose(current.save());
            files = opened;
        }
        return opened;
    }
}
