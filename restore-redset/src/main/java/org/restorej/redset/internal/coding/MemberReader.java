package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.LogicalFileReader;
import org.restorej.redset.internal.files.ScatteredChecksum;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankRecord;

/** Reads data and payload of a member. Opens each file when it is first needed; used by one thread at a time. */
public final class MemberReader implements AutoCloseable {
    private final FileOperations operations;
    private final RankRecord member;
    private final MemberLocation location;
    private final LogicalFileReader files;
    private final Map<Integer, ScatteredChecksum> payloadChecksums = new HashMap<>();
    private @Nullable Payload payload;
    private boolean failed;

    private record Payload(FileChannel channel, long start) {}

    /**
     * A reader; opens nothing yet.
     *
     * @param operations the file system
     * @param member whose files
     * @param location where they are
     */
    public MemberReader(FileOperations operations, RankRecord member, MemberLocation location) {
        this.operations = operations;
        this.member = member;
        this.location = location;
        long[] sizes = member.files().stream().mapToLong(FileRecord::sizeBytes).toArray();
        files = new LogicalFileReader(operations, location.files(), sizes);
    }

    /**
     * Fills a segment; past the end of the logical file are zeros.
     *
     * @param offset from the start of the extent
     * @throws IOException when a file can't be read, or is shorter than recorded
     */
    public void read(MemberExtent extent, long offset, MemorySegment target) throws IOException {
        boolean done = false;
        try {
            if (extent.isInFiles()) {
                files.read(extent.start() + offset, target);
            } else {
                ByteBuffer bytes = target.asByteBuffer();
                readPayload(extent.start() + offset, bytes);
                payloadChecksums.computeIfAbsent(extent.section(), absent -> new ScatteredChecksum()).add(offset,
                        bytes.flip());
            }
            done = true;
        } finally {
            if (!done) {
                failed = true;
            }
        }
    }

    /** Whether something could not be read. */
    public boolean hasFailed() {
        return failed;
    }

    /** CRC-32C of a data file, when all of it has been read. */
    public OptionalInt fileChecksum(int file) {
        return files.checksum(file);
    }

    /** CRC-32C of the first bytes of a section of the payload, when all of them have been read. */
    public OptionalInt payloadChecksum(int section, long bytes) {
        ScatteredChecksum known = payloadChecksums.get(section);
        return known == null ? OptionalInt.empty() : known.of(bytes);
    }

    private void readPayload(long position, ByteBuffer target) throws IOException {
        Payload opened = payload;
        if (opened == null) {
            opened = openPayload();
            payload = opened;
        }
        FileOperations.readFully(opened.channel(), location.redundancy(), target,
                opened.start() + position);
    }

    /** The payload begins where the header says that it ends: one that redset rebuilt may be longer than it need be. */
    private Payload openPayload() throws IOException {
        FileChannel channel = operations.openForReading(location.redundancy());
        try {
            return new Payload(channel, KvTreeBlock.read(channel, channel.size()).sizeBytes());
        } catch (IOException unreadable) {
            channel.close();
            throw unreadable;
        }
    }

    /** CRC-32C of each data file, after all of them have been read once. */
    public List<Integer> fileChecksums() {
        List<Integer> checksums = new ArrayList<>();
        for (int file = 0; file < member.files().size(); file++) {
            OptionalInt checksum = files.checksum(file);
            if (checksum.isEmpty()) {
                throw new IllegalStateException("not all of " + location.files().get(file) + " was read");
            }
            checksums.add(checksum.getAsInt());
        }
        return checksums;
    }

    @Override
    public void close() throws IOException {
        files.close();
        if (payload != null) {
            payload.channel().close();
        }
    }
}
