package org.restorej.bench.speed;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.LocalCluster;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.mpi.OpenMpi;
import org.restorej.placement.Placement;

/**
 * Submits and pulls beside their <em>wire limit</em>, by turns in one run: the time that plain non-blocking messages
 * take to bring the same bytes from the same ranks to the same ranks, one message for each pair, straight between two
 * big buffers that were touched before; what stays on a rank is copied.
 *
 * <pre>{@code
 * bin/mpirun-java -n 4 --cp restore-bench/target/restore-bench-0.1.0-SNAPSHOT-all.jar \
 *     org.restorej.bench.speed.SubmitSpeedReport [BYTES_PER_PE [BLOCK_BYTES]]
 * }</pre>
 *
 * <p>
 * Each PE submits another PE's ids, 16 MiB of them in blocks of 64 bytes unless arguments say otherwise, with four
 * replicas and permutation ranges of 256 KiB. Then all of them pull the share of one PE, spread over all, and everybody
 * pulls another PE's whole share. The longest time of any PE counts; printed are medians with quartiles in
 * milliseconds, and what the first calls in the life of the JVMs took. Without MPI, with the argument {@code local},
 * PEs are threads.
 */
public final class SubmitSpeedReport {
    private static final int WARM_UPS = 60;
    private static final int REPETITIONS = 25;
    private static final int TAG = 7;
    private static final String[] OPERATIONS = {"submit", "pull one PE's share, spread", "pull a whole share each"};

    private final Communicator world;
    private final ReStore store;
    private final long blockBytes;
    private final BlockRange next;
    private final BlockRanges[] wishes;
    /** Bytes of each operation by the rank they go to. */
    private final long[][] sends = new long[OPERATIONS.length][];
    private final long[][] receives = new long[OPERATIONS.length][];

    private SubmitSpeedReport(Communicator world, ReStore store) {
        this.world = world;
        this.store = store;
        blockBytes = store.blockSizeBytes();
        next = share((world.rank() + 1) % world.size());
        BlockRange first = share(0);
        Placement parts = new Placement(world.size(), first.count(), 1);
        BlockRanges part = BlockRanges.of(first.first() + parts.firstPosition(world.rank()),
                parts.blocksIn(world.rank()));
        wishes = new BlockRanges[]{BlockRanges.of(next), part, BlockRanges.of(next)};
        sends[0] = submitted();
        receives[0] = transposed(sends[0]);
        for (int pull = 1; pull < OPERATIONS.length; pull++) {
            receives[pull] = pulled(wishes[pull]);
            sends[pull] = transposed(receives[pull]);
        }
    }

    /** Prints the report. */
    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("local")) {
            LocalCluster.run(4, world -> {
                report(world, 16L << 20, 64);
                return null;
            });
            return;
        }
        Communicator world = OpenMpi.world(args);
        report(world, args.length > 0 ? Long.parseLong(args[0]) : 16L << 20,
                args.length > 1 ? Long.parseLong(args[1]) : 64);
        OpenMpi.finish(world);
    }

    private static void report(Communicator world, long bytesPerPe, long blockBytes) {
        try (ReStore store = ReStore.builder(world).blocks(world.size() * (bytesPerPe / blockBytes))
                .blockSizeBytes(blockBytes).permutationRangeBlocks((256 << 10) / blockBytes)
                .replication(Math.min(4, world.size())).build(); Arena arena = Arena.ofShared()) {
            new SubmitSpeedReport(world, store).measure(arena);
        }
    }

    private BlockRange share(int rank) {
        return BlockRange.of(store.placement().firstPosition(rank), store.placement().blocksIn(rank));
    }

    private long[] submitted() {
        long[] bytes = new long[world.size()];
        int[] holders = new int[store.placement().replication()];
        forEachPiece(BlockRanges.of(next), (range, count) -> {
            for (int replica = 0; replica < holders.length; replica++) {
                bytes[store.placement().holder(range, replica)] += count * blockBytes;
            }
        });
        return bytes;
    }

    /** What a PE serves itself comes from itself, the rest from whoever has served it least. */
    private long[] pulled(BlockRanges wish) {
        long[] bytes = new long[world.size()];
        Placement placement = store.placement();
        forEachPiece(wish, (range, count) -> {
            int server = placement.holder(range, 0);
            for (int replica = 1; replica < placement.replication(); replica++) {
                int other = placement.holder(range, replica);
                server = bytes[other] < bytes[server] ? other : server;
            }
            bytes[placement.isHeldBy(range, world.rank()) ? world.rank() : server] += count * blockBytes;
        });
        return bytes;
    }

    /** Takes blocks that lie in one block range. */
    private interface PieceConsumer {
        void accept(int range, long count);
    }

    private void forEachPiece(BlockRanges blocks, PieceConsumer consumer) {
        for (int run = 0; run < blocks.runCount(); run++) {
            long block = blocks.runFirst(run);
            while (block < blocks.runEnd(run)) {
                long position = store.permutation().positionOf(block);
                int range = store.placement().rangeOf(position);
                long count = Math.min(Math.min(blocks.runEnd(run) - block, store.permutation().runAt(block)),
                        store.placement().firstPosition(range + 1) - position);
                consumer.accept(range, count);
                block += count;
            }
        }
    }

    /** What each rank says of this one. */
    private long[] transposed(long[] ofPeers) {
        int size = world.size();
        long[] all = new long[size * size];
        System.arraycopy(ofPeers, 0, all, world.rank() * size, size);
        world.allReduce(all, Reduction.SUM);
        long[] mine = new long[size];
        for (int peer = 0; peer < size; peer++) {
            mine[peer] = all[peer * size + world.rank()];
        }
        return mine;
    }

    private void measure(Arena arena) {
        MemorySegment source = arena.allocate(next.count() * blockBytes, 64);
        MemorySegment destination = arena.allocate(next.count() * blockBytes, 64);
        fill(source, next.first());
        long before = memoryKiB("VmRSS");
        double[] firsts = new double[OPERATIONS.length];
        double[][] millis = new double[OPERATIONS.length][REPETITIONS];
        double[][] wire = new double[OPERATIONS.length][REPETITIONS];
        for (int operation = 0; operation < OPERATIONS.length; operation++) {
            firsts[operation] = time(operation, source, destination);
            if (operation == 0) {
                printMemory(memoryKiB("VmHWM") - before);
            }
        }
        check(destination);
        MemorySegment sent = touched(arena, sends);
        MemorySegment received = touched(arena, receives);
        for (int repetition = -WARM_UPS; repetition < REPETITIONS; repetition++) {
            for (int operation = 0; operation < OPERATIONS.length; operation++) {
                int wired = operation;
                double wireMillis = time(() -> transfer(sends[wired], sent, receives[wired], received));
                double storeMillis = time(operation, source, destination);
                if (repetition >= 0) {
                    wire[operation][repetition] = wireMillis;
                    millis[operation][repetition] = storeMillis;
                }
            }
        }
        check(destination);
        if (world.rank() == 0) {
            print(firsts, millis, wire);
        }
    }

    private static MemorySegment touched(Arena arena, long[][] bytes) {
        return arena.allocate(Arrays.stream(bytes).mapToLong(each -> Arrays.stream(each).sum()).max().orElse(0), 64)
                .fill((byte) 1);
    }

    private double time(int operation, MemorySegment source, MemorySegment destination) {
        return time(() -> {
            if (operation == 0) {
                store.submit(next, source);
            } else {
                store.pull(wishes[operation], destination);
            }
        });
    }

    private double time(Runnable operation) {
        world.allReduce(new long[1], Reduction.MAX);
        long start = System.nanoTime();
        operation.run();
        long[] nanos = {System.nanoTime() - start};
        world.allReduce(nanos, Reduction.MAX);
        return nanos[0] / 1e6;
    }

    /** The wire: one message for each pair of ranks. */
    private void transfer(long[] sendBytes, MemorySegment from, long[] receiveBytes, MemorySegment to) {
        ArrayDeque<Request> pending = new ArrayDeque<>();
        long offset = 0;
        long ownTarget = 0;
        for (int peer = 0; peer < receiveBytes.length; peer++) {
            if (peer == world.rank()) {
                ownTarget = offset;
            } else if (receiveBytes[peer] > 0) {
                pending.add(world.receive(to.asSlice(offset, receiveBytes[peer]), peer, TAG));
            }
            offset += receiveBytes[peer];
        }
        offset = 0;
        for (int peer = 0; peer < sendBytes.length; peer++) {
            if (peer == world.rank()) {
                MemorySegment.copy(from, offset, to, ownTarget, sendBytes[peer]);
            } else if (sendBytes[peer] > 0) {
                pending.add(world.send(from.asSlice(offset, sendBytes[peer]), peer, TAG));
            }
            offset += sendBytes[peer];
        }
        while (!pending.isEmpty()) {
            if (pending.getFirst().test()) {
                pending.removeFirst();
            }
        }
    }

    /** Each block begins with its id. */
    private void fill(MemorySegment blocks, long firstBlock) {
        for (long block = 0; block < next.count(); block++) {
            blocks.set(ValueLayout.JAVA_LONG_UNALIGNED, block * blockBytes, firstBlock + block);
        }
    }

    private void check(MemorySegment blocks) {
        for (long block = 0; block < next.count(); block++) {
            long found = blocks.get(ValueLayout.JAVA_LONG_UNALIGNED, block * blockBytes);
            if (found != next.first() + block) {
                throw new IllegalStateException("block " + (next.first() + block) + " came as block " + found);
            }
        }
    }

    private static long memoryKiB(String name) {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElse(0);
        } catch (IOException noLinux) {
            return 0;
        }
    }

    private void printMemory(long peakKiB) {
        long[] peak = {peakKiB};
        world.allReduce(peak, Reduction.MAX);
        if (world.rank() == 0) {
            System.out.printf(Locale.ROOT,
                    "memory of a PE at the peak of its first submit: %.1f MiB, replicas %.1f MiB%n",
                    peak[0] / 1024.0, store.replicaBytes() / 1048576.0);
        }
    }

    private void print(double[] firsts, double[][] millis, double[][] wire) {
        System.out.printf(Locale.ROOT,
                "%d PEs, %d blocks of %d bytes, medians of %d (quartiles) [ms]%n%-30s %8s %22s %22s %8s%n",
                world.size(), store.blockCount(), blockBytes, REPETITIONS, "", "first", "store", "wire limit", "ratio");
        for (int operation = 0; operation < OPERATIONS.length; operation++) {
            Arrays.sort(millis[operation]);
            Arrays.sort(wire[operation]);
            System.out.printf(Locale.ROOT, "%-30s %8.2f %22s %22s %8.2f%n", OPERATIONS[operation], firsts[operation],
                    spread(millis[operation]), spread(wire[operation]),
                    millis[operation][REPETITIONS / 2] / wire[operation][REPETITIONS / 2]);
        }
    }

    private static String spread(double[] sorted) {
        return String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", sorted[sorted.length / 2], sorted[sorted.length / 4],
                sorted[sorted.length * 3 / 4]);
    }
}
