package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.coding.ReductionChain.MemberExtent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.files.ScatteredChecksum;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankRecord;

/**
 * Data and payload of a member, which pieces are read from and written to. Its data files one after another are its
 * logical file. After its end, zeros are read and nothing is written. Has the CRC-32C of each file and of each section
 * of the payload after all of it was read or written. Not thread-safe.
 */
public final class MemberBytes {
    private static final long UNKNOWN = -1;

    private final OpenFiles open;
    /** Number of the first data file; the redundancy file follows the last. */
    private final int firstFile;
    /** Start of each data file in the logical file, and the end of the last. */
    private final long[] starts;
    private final List<PendingFile> writtenFiles;
    private final @Nullable PendingFile writtenPayload;
    private long payloadStart;
    private final ScatteredChecksum[] fileChecksums;
    private final List<ScatteredChecksum> sectionChecksums = new ArrayList<>();

    private MemberBytes(OpenFiles open, RankRecord member, MemberLocation location,
            List<PendingFile> writtenFiles, @Nullable RedundancyFile redundancy) {
        this.open = open;
        this.writtenFiles = writtenFiles;
        List<FileRecord> records = member.files();
        starts = new long[records.size() + 1];
        fileChecksums = new ScatteredChecksum[records.size()];
        int first = -1;
        for (int file = 0; file < records.size(); file++) {
            starts[file + 1] = Math.addExact(starts[file], records.get(file).sizeBytes());
            fileChecksums[file] = new ScatteredChecksum();
        }
        for (Path path : location.files()) {
            int number = open.add(path);
            first = first < 0 ? number : first;
        }
        int payload = open.add(location.redundancy());
        firstFile = first < 0 ? payload : first;
        for (int section = 0; section < member.descriptor().scheme().neighbours(); section++) {
            sectionChecksums.add(new ScatteredChecksum());
        }
        writtenPayload = redundancy == null ? null : redundancy.pending();
        payloadStart = redundancy == null ? UNKNOWN : redundancy.payloadStart();
    }

    /** A member all of whose files exist, to be read and compared. */
    public static MemberBytes present(OpenFiles open, RankRecord member, MemberLocation location) {
        return new MemberBytes(open, member, location, List.of(), null);
    }

    /** A member whose data are read and whose redundancy is written. */
    public static MemberBytes encoded(OpenFiles open, RankRecord member,
            MemberLocation location, RedundancyFile redundancy) {
        return new MemberBytes(open, member, location, List.of(), redundancy);
    }

    /** A member all of whose files are written. */
    static MemberBytes rebuilt(FileOperations operations, RankRecord member, MemberLocation location,
            List<PendingFile> files, RedundancyFile redundancy) {
        return new MemberBytes(new OpenFiles(operations), member, location, List.copyOf(files),
                redundancy);
    }

    /** Whether an extent is written; otherwise it is read. */
    boolean isWritten(MemberExtent extent) {
        return extent.isInFiles() ? !writtenFiles.isEmpty() || isRebuilt() : writtenPayload != null;
    }

    /** Whether the member is rebuilt without having data files, so that none is written. */
    private boolean isRebuilt() {
        return fileChecksums.length == 0 && writtenPayload != null;
    }

    int files() {
        return fileChecksums.length;
    }

    /** Length of the logical file. */
    long totalBytes() {
        return starts[starts.length - 1];
    }

    /** End of a data file in the logical file. */
    long end(int file) {
        return starts[file + 1];
    }

    long start(int file) {
        return starts[file];
    }

    /** Reads bytes of a data file, at a position in the logical file, or of the payload. */
    void read(MemberExtent extent, int file, long position, ByteBuffer target) throws IOException {
        int number = firstFile + (extent.isInFiles() ? file : files());
        FileChannel channel = open.channel(number);
        if (!extent.isInFiles() && payloadStart == UNKNOWN) {
            // By the header's own size: a header that redset rebuilt may be longer than necessary.
            payloadStart = KvTreeBlock.read(channel, channel.size()).sizeBytes();
        }
        FileOperations.readFully(channel, open.path(number), target,
                extent.isInFiles() ? position - starts[file] : payloadStart + position);
    }

    /** Writes bytes of a data file, at a position in the logical file, or of the payload. */
    void write(MemberExtent extent, int file, long position, ByteBuffer bytes) throws IOException {
        if (extent.isInFiles()) {
            writtenFiles.get(file).write(position - starts[file], bytes);
        } else if (writtenPayload != null) {
            writtenPayload.write(payloadStart + position, bytes);
        } else {
            throw new IllegalStateException("the redundancy file of a member that is there is not written");
        }
    }

    /** Writes the data files to the disk. Each is still open, unless there are many. */
    public void forceFiles() throws IOException {
        for (int file = 0; file < files(); file++) {
            open.force(firstFile + file);
        }
    }

    /** Adds the checksum of consecutive bytes of a data file. */
    void knowFile(int file, long position, long bytes, int checksum) {
        fileChecksums[file].add(position, bytes, checksum);
    }

    /** Adds the checksum of the first bytes of a section of the payload. */
    void knowSection(int section, long bytes, int checksum) {
        sectionChecksums.get(section).add(0, bytes, checksum);
    }

    /** CRC-32C of a data file, if all of it was read or written. */
    public OptionalInt fileChecksum(int file) {
        return fileChecksums[file].of(starts[file + 1] - starts[file]);
    }

    /** CRC-32C of a section of the payload, if all of it was read or written. */
    public OptionalInt payloadChecksum(int section, long bytes) {
        return sectionChecksums.get(section).of(bytes);
    }

    /** CRC-32C of each data file. All of them must have been read or written. */
    List<Integer> fileChecksums() {
        List<Integer> checksums = new ArrayList<>();
        for (int file = 0; file < files(); file++) {
            checksums.add(fileChecksum(file).orElseThrow());
        }
        return checksums;
    }
}
