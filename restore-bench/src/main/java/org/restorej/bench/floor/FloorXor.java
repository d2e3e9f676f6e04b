package org.restorej.bench.floor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.zip.CRC32C;
import org.restorej.bench.bytes.KnownFile;

/**
 * One file a rank, protected by exclusive or in a ring and rebuilt after rank 0 has lost its own, as redset does it,
 * with checksums of all that is read and written. Files are read and written piece by piece.
 */
public final class FloorXor {
    private static final int PIECE_BYTES = 256 << 10;
    private static final int APPLY_TAG = 7;
    private static final int RECOVER_TAG = 8;
    private static final int LOST = 0;
    private static final MethodHandle XOR = FloorMpi.handle(
            SymbolLookup.libraryLookup("libisal.so.2", Arena.global()), "xor_gen", JAVA_INT, JAVA_INT, ADDRESS);
    private static final OpenOption[] READ = {StandardOpenOption.READ};
    private static final OpenOption[] WRITE = {StandardOpenOption.CREATE, StandardOpenOption.WRITE};

    private final FloorMpi mpi = new FloorMpi();
    private final KnownFile content;
    private final Path file;
    private final Path parity;
    private final long bytes;
    private final long segmentBytes;
    private final int left = Math.floorMod(mpi.rank - 1, mpi.size);
    private final int right = (mpi.rank + 1) % mpi.size;
    private final MemorySegment[] own = {FloorMpi.memory(PIECE_BYTES), FloorMpi.memory(PIECE_BYTES)};
    private final MemorySegment[] others = {FloorMpi.memory(PIECE_BYTES), FloorMpi.memory(PIECE_BYTES)};
    private final MemorySegment requests = FloorMpi.memory(2L * FloorMpi.REQUEST_BYTES);
    private final MemorySegment vectors = FloorMpi.memory(3 * ADDRESS.byteSize());
    private final CRC32C checksum = new CRC32C();

    private FloorXor(Path folder, long bytes) throws Throwable {
        this.bytes = bytes;
        segmentBytes = Math.ceilDiv(bytes, mpi.size - 1);
        Path directory = Files.createDirectory(folder.resolve("floor." + mpi.rank));
        file = directory.resolve("file");
        parity = directory.resolve("parity");
        content = new KnownFile(file, bytes, mpi.rank, 0);
        content.write();
    }

    /**
     * Measures. Arguments: the file for the times, a folder for files, bytes of a rank's file, and the number of calls.
     */
    public static void main(String[] args) throws Throwable {
        new FloorXor(Path.of(args[1]), Long.parseLong(args[2])).measure(Path.of(args[0]), Integer.parseInt(args[3]));
    }

    private void measure(Path times, int calls) throws Throwable {
        double[] apply = new double[calls];
        double[] recover = new double[calls];
        for (int call = 0; call < calls; call++) {
            Files.deleteIfExists(parity);
            mpi.barrier();
            long start = System.nanoTime();
            apply();
            mpi.barrier();
            apply[call] = (System.nanoTime() - start) / 1e6;
            if (mpi.rank == LOST) {
                Files.delete(file);
                Files.delete(parity);
            }
            mpi.barrier();
            start = System.nanoTime();
            recover();
            mpi.barrier();
            recover[call] = (System.nanoTime() - start) / 1e6;
        }
        content.require();
        mpi.finish(times, Map.of("apply", apply, "recover", recover));
    }

    /** A piece's offset in this rank's file: of the segment that belongs to the parity of a rank. */
    private long offset(int parityRank, long done) {
        return (parityRank > mpi.rank ? parityRank - 1 : parityRank) * segmentBytes + done;
    }

    private void read(FileChannel channel, MemorySegment piece, long offset) throws IOException {
        ByteBuffer buffer = piece.asByteBuffer();
        int read = 0;
        while (buffer.hasRemaining() && read >= 0) {
            read = channel.read(buffer, offset + buffer.position());
        }
        // The last segment may be longer than what the file has of it.
        piece.asSlice(buffer.position()).fill((byte) 0);
        checksum.update(piece.asByteBuffer());
    }

    private void write(FileChannel channel, MemorySegment piece, long offset, long end) throws IOException {
        checksum.update(piece.asByteBuffer());
        ByteBuffer buffer = piece.asByteBuffer();
        buffer.limit((int) Math.clamp(end - offset, 0, piece.byteSize()));
        while (buffer.hasRemaining()) {
            channel.write(buffer, offset + buffer.position());
        }
    }

    private void xor(MemorySegment piece, MemorySegment into) throws Throwable {
        vectors.setAtIndex(ADDRESS, 0, piece);
        vectors.setAtIndex(ADDRESS, 1, into);
        vectors.setAtIndex(ADDRESS, 2, into);
        if ((int) XOR.invokeExact(3, (int) piece.byteSize(), vectors) != 0) {
            throw new IllegalStateException("xor_gen");
        }
    }

    private int lengthOf(long done) {
        return (int) Math.min(PIECE_BYTES, segmentBytes - done);
    }

    /** Each parity goes round the ring from its rank's right neighbour on: each other rank adds a segment. */
    private void apply() throws Throwable {
        try (FileChannel data = FileChannel.open(file, READ); FileChannel out = FileChannel.open(parity, WRITE)) {
            for (long done = 0; done < segmentBytes; done += PIECE_BYTES) {
                int length = lengthOf(done);
                for (int distance = mpi.size - 1; distance > 0; distance--) {
                    MemorySegment mine = own[distance & 1].asSlice(0, length);
                    read(data, mine, offset((mpi.rank + distance) % mpi.size, done));
                    if (distance < mpi.size - 1) {
                        mpi.await(2, requests);
                        xor(others[(distance + 1) & 1].asSlice(0, length), mine);
                    }
                    mpi.beginReceive(others[distance & 1].asSlice(0, length), left, APPLY_TAG, requests, 0);
                    mpi.send(mine, right, APPLY_TAG, requests, 1);
                }
                mpi.await(2, requests);
                write(out, others[1].asSlice(0, length), done, segmentBytes);
            }
        }
    }

    /** What was lost of each parity's group goes from its right neighbour round the ring to the rank that lost it. */
    private void recover() throws Throwable {
        boolean rebuilds = mpi.rank == LOST;
        try (FileChannel data = FileChannel.open(file, rebuilds ? WRITE : READ);
                FileChannel sums = FileChannel.open(parity, rebuilds ? WRITE : READ)) {
            for (int group = 0; group < mpi.size; group++) {
                boolean isParity = group == mpi.rank;
                for (long done = 0; done < segmentBytes; done += PIECE_BYTES) {
                    long offset = isParity ? done : offset(group, done);
                    MemorySegment mine = own[0].asSlice(0, lengthOf(done));
                    MemorySegment theirs = others[0].asSlice(0, lengthOf(done));
                    if (rebuilds) {
                        mpi.receive(theirs, left, RECOVER_TAG);
                        write(isParity ? sums : data, theirs, offset, isParity ? segmentBytes : bytes);
                    } else {
                        read(isParity ? sums : data, mine, offset);
                        if (left != LOST) {
                            mpi.receive(theirs, left, RECOVER_TAG);
                            xor(theirs, mine);
                        }
                        mpi.send(mine, right, RECOVER_TAG, requests, 0);
                        mpi.await(1, requests);
                    }
                }
            }
        }
    }
}
