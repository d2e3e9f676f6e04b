package org.restorej.bench.mpi.rival;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A data set in files: what users do who have no store. Used by one thread of each PE. */
public interface DataFiles {
    /** Writes this PE's part, and brings it to the disk. Collective. */
    void write(DataRange mine, MemorySegment bytes) throws IOException;

    /** Reads what this PE wants, wherever it is. Collective. */
    void read(DataRange wanted, MemorySegment bytes) throws IOException;

    /** Removes what this PE has written. Collective. */
    void delete() throws IOException;
}
