package org.restorej.redset.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.files.LogicalFileReader;
import org.restorej.redset.format.FileRecord;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.SetDescription;
import org.restorej.redset.scheme.CodedLayout;
import org.restorej.redset.scheme.CodedScheme;

/** Reads data and payload of members that are whole. Opens each file when it is first needed; used by one thread. */
final class MemberReaders implements AutoCloseable {
    private final FileOperations operations;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final Map<Integer, LogicalFileReader> data = new HashMap<>();
    private final Map<Integer, Payload> payloads = new HashMap<>();

    private record Payload(FileChannel channel, long start) {}

    MemberReaders(FileOperations operations, SetDescription set, List<MemberLocation> locations) {
        this.operations = operations;
        this.set = set;
        this.locations = locations;
    }

    /** Reads a part of the cell of a rank in a row of a coded set. */
    void readCell(int row, int rank, long offset, MemorySegment target) throws IOException {
        if (!(set.scheme() instanceof CodedScheme coded)) {
            throw new IllegalStateException(set.scheme() + " has no rows");
        }
        CodedLayout layout = coded.layout(set.ranks());
        int checksum = layout.checksumAt(row, rank);
        if (checksum >= 0) {
            readPayload(rank, checksum * set.chunkBytes() + offset, target);
        } else {
            readData(rank, layout.chunkAt(row, rank) * set.chunkBytes() + offset, target);
        }
    }

    void readData(int rank, long position, MemorySegment target) throws IOException {
        LogicalFileReader reader = data.get(rank);
        if (reader == null) {
            long[] sizes = set.member(rank).files().stream().mapToLong(FileRecord::sizeBytes).toArray();
            reader = new LogicalFileReader(operations, locations.get(rank).files(), sizes);
            data.put(rank, reader);
        }
        reader.read(position, target);
    }

    void readPayload(int rank, long position, MemorySegment target) throws IOException {
        Payload payload = payloads.get(rank);
        if (payload == null) {
            payload = openPayload(locations.get(rank).redundancy());
            payloads.put(rank, payload);
        }
        ByteBuffer buffer = target.asByteBuffer();
        long at = payload.start() + position;
        while (buffer.hasRemaining()) {
            int read = payload.channel().read(buffer, at);
            if (read < 0) {
                throw new IOException(locations.get(rank).redundancy() + " ends after " + at + " bytes");
            }
            at += read;
        }
    }

    /** The payload begins where the header says that it ends: one that redset rebuilt may be longer than it need be. */
    private Payload openPayload(Path path) throws IOException {
        FileChannel channel = operations.openForReading(path);
        try {
            return new Payload(channel, KvTreeBlock.read(channel, channel.size()).sizeBytes());
        } catch (IOException unreadable) {
            channel.close();
            throw unreadable;
        }
    }

    @Override
    public void close() throws IOException {
        for (LogicalFileReader reader : data.values()) {
            reader.close();
        }
        for (Payload payload : payloads.values()) {
            payload.channel().close();
        }
    }
}
