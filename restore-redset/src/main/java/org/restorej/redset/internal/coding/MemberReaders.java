package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Reads data and payload of all members that are whole. Opens each file when it is first needed; used by one thread.
 */
final class MemberReaders implements AutoCloseable {
    private final FileOperations operations;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final Map<Integer, MemberReader> readers = new HashMap<>();

    MemberReaders(FileOperations operations, SetDescription set, List<MemberLocation> locations) {
        this.operations = operations;
        this.set = set;
        this.locations = locations;
    }

    /** The reader of a rank. */
    MemberReader of(int rank) {
        return readers.computeIfAbsent(rank,
                absent -> new MemberReader(operations, set.member(rank), locations.get(rank)));
    }

    void readFiles(int rank, long position, MemorySegment target) throws IOException {
        of(rank).read(MemberExtent.inFiles(position), 0, target);
    }

    @Override
    public void close() throws IOException {
        for (MemberReader reader : readers.values()) {
            reader.close();
        }
    }
}
