package org.restorej.bench.mpi.rival;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** One file for all ranks, written and read by the collective calls of MPI-IO: at most 2 GiB - 1 a rank. */
public final class SharedFile implements DataFiles {
    private final Intracomm intracomm;
    private final Path file;
    private final boolean deletes;

    /**
     * A file.
     *
     * @param intracomm whose processes open it; stays the caller's
     * @param file seen by all of them
     * @param deletes whether this PE deletes it at the end, which one does
     */
    public SharedFile(Intracomm intracomm, Path file, boolean deletes) {
        this.intracomm = intracomm;
        this.file = file;
        this.deletes = deletes;
    }

    @Override
    public void write(DataRange mine, MemorySegment bytes) {
        try {
            File shared = new File(intracomm, file.toString(), MPI.MODE_CREATE + MPI.MODE_WRONLY);
            shared.writeAtAll(mine.offset(), bytes.asByteBuffer(), Math.toIntExact(mine.bytes()), MPI.BYTE);
            shared.sync();
            shared.close();
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_File_write_at_all to " + file, failure);
        }
    }

    @Override
    public void read(DataRange wanted, MemorySegment bytes) {
        try {
            File shared = new File(intracomm, file.toString(), MPI.MODE_RDONLY);
            shared.readAtAll(wanted.offset(), bytes.asByteBuffer(), Math.toIntExact(wanted.bytes()), MPI.BYTE);
            shared.close();
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_File_read_at_all of " + file, failure);
        }
    }

    @Override
    public void delete() throws IOException {
        if (deletes) {
            Files.deleteIfExists(file);
        }
    }
}
