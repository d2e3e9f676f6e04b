package org.restorej.bench.mpi.rival;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** One file for all ranks, written and read by the collective calls of MPI-IO: at most 2 GiB - 1 a rank. */
public final class SharedFile implements DataFiles {
    private final PlainMpi mpi;
    private final Path file;
    private final boolean deletes;

    /**
     * A file.
     *
     * @param mpi whose processes open it; stays the caller's
     * @param file seen by all of them
     * @param deletes whether this PE deletes it at the end, which one does
     */
    public SharedFile(PlainMpi mpi, Path file, boolean deletes) {
        this.mpi = mpi;
        this.file = file;
        this.deletes = deletes;
    }

    @Override
    public void write(DataRange mine, MemorySegment bytes) {
        mpi.writeFile(file, mine.offset(), bytes.asSlice(0, mine.bytes()));
    }

    @Override
    public void read(DataRange wanted, MemorySegment bytes) {
        mpi.readFile(file, wanted.offset(), bytes.asSlice(0, wanted.bytes()));
    }

    @Override
    public void delete() throws IOException {
        if (deletes) {
            Files.deleteIfExists(file);
        }
    }
}
