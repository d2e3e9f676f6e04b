package org.restorej.redset.files;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.restorej.redset.format.FileRecord;

/**
 * Writes the files of a rank as one, in pieces of any order; what lies past the end is dropped. The files belong to a
 * transaction, which publishes them. Writes may come from several threads.
 */
public final class LogicalFileWriter {
    private final List<PendingFile> files;
    private final List<FileRecord> records;
    private final LogicalExtents extents;

    /**
     * A writer.
     *
     * @param files the files, begun
     * @param records size and metadata that each gets
     */
    public LogicalFileWriter(List<PendingFile> files, List<FileRecord> records) {
        if (files.size() != records.size()) {
            throw new IllegalArgumentException(
                    "files and records must be as many: " + files.size() + ", " + records.size());
        }
        this.files = List.copyOf(files);
        this.records = List.copyOf(records);
        this.extents = new LogicalExtents(records.stream().mapToLong(FileRecord::sizeBytes).toArray());
    }

    /** Writes the part of the segment that is before the end. */
    public void write(long position, MemorySegment bytes) throws IOException {
        extents.visit(position, bytes.byteSize(), (file, positionInFile, offset, partBytes) -> files.get(file)
                .write(positionInFile, bytes.asSlice(offset, partBytes)));
    }

    /** Gives every file its size and metadata, and brings it to the disk. */
    public void finish() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            files.get(i).finish(records.get(i).sizeBytes(), records.get(i).metadata());
        }
    }
}
