package org.restorej.bench.mpi.rival;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.restorej.internal.mpi.MpiComm;

/**
 * MPI for rivals, called as the library calls it in this process, so that a comparison is one of protocols. Messages go
 * by its {@link #communicator}; what the library has no need of is here. Used by one thread; all methods but the
 * communicator's are collective, and throw {@link MpiFailure}.
 */
public interface PlainMpi {
    /**
     * What one PE sends or receives in an MPI_Alltoallv. All memory is native.
     *
     * @param bytes of all PEs
     * @param counts an int for each PE: how many bytes
     * @param offsets an int for each PE: where they begin
     */
    record PeerParts(MemorySegment bytes, MemorySegment counts, MemorySegment offsets) {}

    /** For messages. Used by nothing else. */
    MpiComm communicator();

    /** MPI_Barrier. */
    void barrier();

    /** MPI_Alltoall of an int for each PE. */
    void allToAll(MemorySegment sent, MemorySegment received);

    /** MPI_Alltoallv of bytes. */
    void allToAllV(PeerParts sent, PeerParts received);

    /** Makes a file of all PEs, writes this PE's part by MPI_File_write_at_all, and brings it to the disk. */
    void writeFile(Path file, long offset, MemorySegment bytes);

    /** Reads a part of a file by MPI_File_read_at_all. */
    void readFile(Path file, long offset, MemorySegment bytes);
}
