package org.restorej.redset.internal.files;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.restorej.redset.internal.format.FileRecord;

/**
 * Writes the files of a rank as one logical file, in parts of any order. Bytes past its end are dropped. The files
 * belong to a transaction, which publishes them. After everything was written once, the CRC-32C of every file is known
 * without reading it, which would change its access time. Several threads may write,
 * and take turns to compute the checksum of a file.
 */
public final class LogicalFileWriter {
    private final List<PendingFile> files;
    private final List<FileRecord> records;
    private final LogicalExtents extents;
    private final ScatteredChecksum[] checksums;

    /**
     * The files are begun, and empty.
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
        this.checksums = Stream.generate(ScatteredChecksum::new).limit(files.size()).toArray(ScatteredChecksum[]::new);
    }

    /** Writes those bytes of the segment that are before the end. */
    public void write(long position, MemorySegment bytes) throws IOException {
        for (LogicalExtents.Part part : extents.parts(position, bytes.byteSize())) {
            MemorySegment ofFile = bytes.asSlice(part.offset(), part.bytes());
            files.get(part.file()).write(part.positionInFile(), ofFile);
            synchronized (checksums[part.file()]) {
                checksums[part.file()].add(part.positionInFile(), ofFile.asByteBuffer());
            }
        }
    }

    /** CRC-32C of a file, when all of it has been written, in parts that don't overlap; after the last write. */
    public OptionalInt checksum(int file) {
        synchronized (checksums[file]) {
            return checksums[file].of(extents.size(file));
        }
    }

    /** Gives every file its size and metadata, and brings it to the disk. */
    public void finish() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            files.get(i).finish(records.get(i).sizeBytes(), records.get(i).metadata());
        }
    }
}
