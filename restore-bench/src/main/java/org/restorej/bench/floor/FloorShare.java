package org.restorej.bench.floor;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.restorej.bench.bytes.WrongBytesException;

/**
 * A failed rank's share, pulled by all ranks: requests by NBX, answers straight from replicas, checksums of what comes,
 * and one reduction at the end.
 */
public final class FloorShare {
    private static final int REPLICATION = 4;
    private static final int RANGE_BYTES = 256 << 10;
    private static final int REQUEST_TAG = 20;
    private static final int DATA_TAG = 30;
    private static final int SEED = 42;

    private final FloorMpi mpi = new FloorMpi();
    private final int ranges;
    private final int rangeBytes;
    private final MemorySegment replica;
    private final MemorySegment share;
    /** Numbers of ranges, after their count: a row for each rank that is asked. */
    private final MemorySegment asked;
    private final MemorySegment asking;
    private final MemorySegment receives;
    private final MemorySegment sends;
    private final MemorySegment flags = FloorMpi.memory(2);
    private final MemorySegment end = FloorMpi.memory(FloorMpi.REQUEST_BYTES);
    private final CRC32C checksum = new CRC32C();

    private FloorShare(long bytes) throws Throwable {
        rangeBytes = (int) Math.min(bytes, RANGE_BYTES);
        ranges = (int) (bytes / rangeBytes);
        replica = FloorMpi.memory(bytes);
        replica.fill((byte) 5);
        share = FloorMpi.memory(bytes);
        asked = FloorMpi.memory(mpi.size * rowBytes());
        asking = FloorMpi.memory(rowBytes());
        receives = FloorMpi.memory((long) ranges * FloorMpi.REQUEST_BYTES);
        sends = FloorMpi.memory((long) (ranges + mpi.size) * FloorMpi.REQUEST_BYTES);
    }

    private long rowBytes() {
        return (1L + ranges) * Integer.BYTES;
    }

    /** Measures. Arguments: the file for the times, bytes of the share, and the number of calls. */
    public static void main(String[] args) throws Throwable {
        new FloorShare(Long.parseLong(args[1])).measure(Path.of(args[0]), Integer.parseInt(args[2]));
    }

    private void measure(Path times, int calls) throws Throwable {
        double[] millis = new double[calls];
        Random random = new Random(SEED);
        for (int call = 0; call < calls; call++) {
            int[] holders = random.ints(ranges, 1, REPLICATION)
                    .map(replicaNumber -> replicaNumber * Math.max(1, mpi.size / REPLICATION) % mpi.size).toArray();
            mpi.barrier();
            long start = System.nanoTime();
            pull(holders, call & 1);
            mpi.barrier();
            millis[call] = (System.nanoTime() - start) / 1e6;
            check();
        }
        mpi.finish(times, Map.of("share", millis));
    }

    private MemorySegment range(MemorySegment memory, int range) {
        return memory.asSlice((long) range * rangeBytes, rangeBytes);
    }

    /** @param holders of the ranges, of which this rank wants every {@code size}th */
    private void pull(int[] holders, int parity) throws Throwable {
        int requestTag = REQUEST_TAG + parity;
        int dataTag = DATA_TAG + parity;
        int receiving = 0;
        asked.fill((byte) 0);
        for (int range = mpi.rank; range < ranges; range += mpi.size) {
            mpi.beginReceive(range(share, range), holders[range], dataTag, receives, receiving++);
            MemorySegment row = asked.asSlice(holders[range] * rowBytes(), rowBytes());
            int count = row.get(JAVA_INT, 0) + 1;
            row.set(JAVA_INT, 0, count);
            row.setAtIndex(JAVA_INT, count, range);
        }
        int sending = 0;
        for (int holder = 0; holder < mpi.size; holder++) {
            MemorySegment row = asked.asSlice(holder * rowBytes(), rowBytes());
            if (row.get(JAVA_INT, 0) > 0) {
                mpi.sendSynchronously(row, holder, requestTag, sends, sending++);
            }
        }
        int requestsSent = sending;
        boolean hasShare = false;
        boolean allHave = false;
        while (!allHave) {
            int source = mpi.probe(requestTag);
            if (source != FloorMpi.ANY) {
                sending = answer(source, requestTag, dataTag, sending);
            } else if (hasShare) {
                allHave = mpi.isDone(end);
            } else if (mpi.areDone(receiving, receives) && mpi.areDone(requestsSent, sends)) {
                hasShare = true;
                for (int range = mpi.rank; range < ranges; range += mpi.size) {
                    checksum.update(range(share, range).asByteBuffer());
                }
                mpi.beginAgreement(flags.asSlice(0, 1), flags.asSlice(1, 1), end);
            }
        }
        mpi.await(sending, sends);
    }

    /** @return number of sends that were begun */
    private int answer(int source, int requestTag, int dataTag, int begun) throws Throwable {
        int sending = begun;
        mpi.receive(asking, source, requestTag);
        for (int i = 1; i <= asking.get(JAVA_INT, 0); i++) {
            mpi.send(range(replica, asking.getAtIndex(JAVA_INT, i)), source, dataTag, sends, sending++);
        }
        return sending;
    }

    private void check() {
        for (int range = mpi.rank; range < ranges; range += mpi.size) {
            if (range(share, range).mismatch(range(replica, range)) >= 0) {
                throw new WrongBytesException("wrong bytes in range " + range);
            }
        }
        share.fill((byte) 0);
    }
}
