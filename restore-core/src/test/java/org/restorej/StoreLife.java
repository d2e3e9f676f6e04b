package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.HealingStorePrograms.sumOverPes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.BlockDirectory;
import java.util.Set;
import java.util.Map;
import java.util.HashSet;
import java.util.HashMap;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.internal.operation.Generation;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * A store of any shape to which everything happens: submits, changes, failures, repairs and damage, in an order that a
 * seed chooses. After each, every block that is not lost is read. All PEs draw the same numbers.
 */
final class StoreLife {
    /**
     * Which stores.
     *
     * @param coded blocks are coded, not copied
     * @param variable blocks have different sizes
     * @param mayLose also more PEs fail than a store survives without loss
     */
    record Kind(boolean coded, boolean variable, boolean mayLose) {}

    /** The lives of so many stores; some PE must fail in more than half of them. */
    static void run(long firstSeed, int count, Kind kind) {
        int failures = 0;
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            failures += failuresIn(seed, kind);
        }
        assertTrue(failures > count / 2, "failures: " + failures);
    }

    /** The life of one store; returns how many PEs have failed. */
    static int failuresIn(long seed, Kind kind) {
        int pes = 2 + new Random(seed).nextInt(8);
        try (LocalCluster cluster = LocalCluster.builder(pes).singleStepping(seed).build()) {
            return pes - PeOutcome.values(cluster.run(world -> new StoreLife(world, seed, kind).run())).size();
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError("seed " + seed + ", " + kind + ": " + failure.getMessage(), failure);
        }
    }

    private final Random random;
    private final long blocks;
    private final long blockSizeBytes;
    private final Kind kind;
    private final ReStore store;
    private final long[] versions;
    private Communicator comm;
    private long version;
    /** Failures that no replenishment has made good yet. */
    private int unrepaired;
    private BlockRanges lost = BlockRanges.EMPTY;
    /** Whether there is damage that has been found, and not been repaired. */
    private boolean damaged;

    private StoreLife(Communicator world, long seed, Kind kind) {
        random = new Random(seed);
        random.nextInt(8);
        comm = world;
        int parts = 2 + random.nextInt(world.size() - 1);
        int parityParts = 1 + random.nextInt(parts - 1);
        blocks = 1 + random.nextLong(200);
        blockSizeBytes = 1 + random.nextLong(30);
        versions = new long[(int) blocks];
        this.kind = kind;
        int rangeBlocks = random.nextInt(30);
        int ringPoints = 1 + random.nextInt(8);
        ReStoreBuilder builder = ReStore.builder(world).blocks(blocks);
        if (kind.variable()) {
            builder.variableBlockSizes(blockSizeBytes);
        } else {
            builder.blockSizeBytes(blockSizeBytes);
        }
        if (kind.coded()) {
            builder.coded(parts - parityParts, parityParts);
        } else {
            builder.replication(1 + parityParts);
        }
        store = TestBlocks.permuted(builder, rangeBlocks).ringPoints(ringPoints)
                .seed(random.nextLong()).build();
    }

    private int run() {
        submit();
        for (int step = 0; step < 12; step++) {
            switch (random.nextInt(kind.variable() || kind.mayLose() ? 6 : 5)) {
                case 0 -> submit();
                case 1 -> change();
                case 2 -> replenish();
                case 5 -> damage();
                default -> die();
            }
            check();
        }
        if (!lost.isEmpty()) {
            submit();
            check();
        }
        store.close();
        return comm.rank();
    }

    /** Runs of random lengths from random PEs. */
    private Submission part(BlockRange of) {
        Submission mine = new Submission();
        int longest = 1 + random.nextInt(60);
        for (long first = of.first(); first < of.end();) {
            long count = Math.min(of.end() - first, 1 + random.nextInt(longest));
            if (random.nextInt(comm.size()) == comm.rank()) {
                add(BlockRange.of(first, count), mine);
            }
            for (long block = first; block < first + count; block++) {
                versions[(int) block] = version;
            }
            first += count;
        }
        return mine;
    }

    private void add(BlockRange run, Submission mine) {
        if (kind.variable()) {
            mine.add(run, id -> sizeOf(id, version),
                    (id, block) -> new TestBlocks(block.byteSize(), version).write(id, block));
        } else {
            mine.add(run, new TestBlocks(blockSizeBytes, version)::write);
        }
    }

    /** Most have about the typical size, which odd versions leave as it is; some are empty, and a few long. */
    private long sizeOf(long id, long of) {
        if (!kind.variable()) {
            return blockSizeBytes;
        }
        return switch ((int) ((id * 31 + of / 2 * 7) % 13)) {
            case 0, 1, 2 -> 0;
            case 3 -> 40 * blockSizeBytes;
            default -> 1 + (id + of / 2) % (2 * blockSizeBytes);
        };
    }

    private void check(long id, MemorySegment block) {
        assertEquals(sizeOf(id, versions[(int) id]), block.byteSize(), "size of block " + id);
        new TestBlocks(block.byteSize(), versions[(int) id]).check(id, block);
    }

    private void submit() {
        version++;
        store.submit(part(BlockRange.of(0, blocks)));
        // Placed among those that are alive.
        unrepaired = 0;
        lost = BlockRanges.EMPTY;
        damaged = false;
    }

    private void change() {
        if (kind.coded() || kind.variable()) {
            submit();
            return;
        }
        if (unrepaired > 0 || damaged) {
            replenish();
        }
        version++;
        BlockRange changed = anyBlocks();
        long[] before = versions.clone();
        Submission mine = part(changed);
        if (lost.isEmpty()) {
            store.submitChanges(mine);
            return;
        }
        try {
            store.submitChanges(mine);
            assertEquals(BlockRanges.EMPTY, lost.intersect(BlockRanges.of(changed)), "lost blocks that were changed");
        } catch (InvalidSubmissionException refused) {
            // Of lost blocks, or where what is damaged can't be repaired any more.
            System.arraycopy(before, 0, versions, 0, before.length);
        }
    }

    private BlockRange anyBlocks() {
        long first = random.nextInt((int) blocks);
        return BlockRange.of(first, 1 + random.nextInt((int) (blocks - first)));
    }

    private void replenish() {
        store.replenish();
        unrepaired = 0;
        damaged = false;
    }

    /** One bit of a chunk on one PE, or of its sizes. */
    private void damage() {
        if (kind.mayLose() && !kind.coded() && random.nextBoolean()) {
            damageAtSeveralPes();
            return;
        }
        int victim = random.nextInt(comm.size());
        Random where = new Random(random.nextLong());
        if (maxVictims() < 1 || damaged || !lost.isEmpty()) {
            return;
        }
        ReplicaMemory memory = anyMemory(where);
        if (comm.rank() == victim) {
            flipABit(memory, where);
        }
        read();
        store.scrub();
        read();
        if (kind.mayLose() && random.nextBoolean()) {
            damaged = true;
            return;
        }
        replenish();
        checkRepaired();
    }

    private ReplicaMemory anyMemory(Random where) {
        Generation present = store.state().submitted("a test");
        return kind.variable() && where.nextBoolean() ? Objects.requireNonNull(present.sizes()) : present.blocks();
    }

    /** Returns first position of the chunk, or -1 where there is none that has bytes. */
    private long flipABit(ReplicaMemory memory, Random where) {
        ChunkGrid grid = store.state().readable().directory().grid();
        LongArrayList chunks = new LongArrayList();
        memory.forEachRun((first, count) -> {
            for (long chunk = first; chunk < first + count; chunk = grid.chunkEnd(chunk)) {
                chunks.add(chunk);
            }
        });
        chunks.removeIf((long chunk) -> memory.at(chunk, grid.chunkEnd(chunk) - chunk).byteSize() == 0);
        if (chunks.isEmpty()) {
            return -1;
        }
        long chunk = chunks.getLong(where.nextInt(chunks.size()));
        MemorySegment bytes = memory.at(chunk, grid.chunkEnd(chunk) - chunk);
        long index = where.nextLong(bytes.byteSize());
        bytes.set(ValueLayout.JAVA_BYTE, index,
                (byte) (bytes.get(ValueLayout.JAVA_BYTE, index) ^ 1 << where.nextInt(8)));
        return chunk;
    }

    /** Nothing is lost of which some holder has not been damaged, whoever finds what when. */
    private void damageAtSeveralPes() {
        if (damaged) {
            return;
        }
        BlockRanges mayBeLost = lost.union(flipSeveralBits());
        for (int step = random.nextInt(3); step > 0; step--) {
            readAllBut(mayBeLost);
        }
        for (int round = 0; round < 2; round++) {
            replenish();
            readAllBut(mayBeLost);
            store.scrub();
        }
        replenish();
        lost = store.lostBlocks();
        assertEquals(BlockRanges.EMPTY, lost.minus(mayBeLost), "lost blocks that a holder had");
        read();
    }

    private BlockRanges flipSeveralBits() {
        BlockDirectory directory = store.state().readable().directory();
        Map<Long, Set<Integer>> flipped = new HashMap<>();
        for (int flips = 1 + random.nextInt(5); flips > 0; flips--) {
            boolean mine = random.nextInt(comm.size()) == comm.rank();
            Random where = new Random(random.nextLong());
            ReplicaMemory memory = anyMemory(where);
            long chunk = sumOverPes(comm, mine ? 1 + flipABit(memory, where) : 0) - 1;
            int holder = (int) sumOverPes(comm, mine ? store.rank().value() : 0);
            flipped.computeIfAbsent(chunk, _ -> new HashSet<>()).add(holder);
        }
        flipped.remove(-1L);
        BlockRanges all = BlockRanges.EMPTY;
        for (Map.Entry<Long, Set<Integer>> chunk : flipped.entrySet()) {
            int[] holders = new int[directory.replication()];
            int count = directory.holders(chunk.getKey(), holders);
            if (IntStream.of(holders).limit(count).allMatch(chunk.getValue()::contains)) {
                all = all.union(BlockRanges.of(directory.permutation().blocksAt(chunk.getKey(),
                        directory.grid().chunkEnd(chunk.getKey()))));
            }
        }
        return all;
    }

    /** Whether the others are there or not, what is read of them is right. */
    private void readAllBut(BlockRanges mayBeLost) {
        BlockRange some = anyBlocks();
        store.pull(BlockRanges.of(some).minus(mayBeLost), this::check);
    }

    /** Never so many that something can be lost: where fewer are alive than parts, some have several. */
    private int maxVictims() {
        int most = store.report().blocksByReplicas().size() - 1 - 1 - unrepaired;
        int fatal = store.risk().fewestFailuresUntilLoss();
        return Math.min(Math.min(most, fatal - 1), comm.size() - 1);
    }

    private void die() {
        int harmless = maxVictims();
        int victims = kind.mayLose() && random.nextBoolean() ? comm.size() - 1 : harmless;
        if (victims < 1) {
            return;
        }
        int[] order = IntStream.range(0, comm.size()).toArray();
        for (int i = 0; i < victims; i++) {
            int other = i + random.nextInt(order.length - i);
            int moved = order[i];
            order[i] = order[other];
            order[other] = moved;
        }
        int count = 1 + random.nextInt(victims);
        sumOverPes(comm, 0);
        comm = FailingStorePrograms.kill(comm, IntStream.range(0, count).map(i -> order[i]).toArray());
        unrepaired += count;
        store.recover(comm);
        BlockRanges before = lost;
        lost = store.lostBlocks();
        assertEquals(BlockRanges.EMPTY, before.minus(lost), "lost blocks that are back");
        if (count <= harmless) {
            assertEquals(before, lost, "lost blocks");
        }
        assertEquals((long) comm.size() * lost.hashCode(), sumOverPes(comm, lost.hashCode()), "lost blocks of all PEs");
    }

    private void check() {
        read();
        if (random.nextInt(4) == 0 && !damaged) {
            checkRepaired();
        }
    }

    private void checkRepaired() {
        long left = store.scrub().damagedReplicas();
        if (lost.isEmpty()) {
            assertEquals(0L, left, "damaged parts that nobody has repaired");
        }
    }

    private void read() {
        assertEquals(lost, store.lostBlocks(), "lost blocks");
        BlockRanges wanted = random.nextBoolean() ? BlockRanges.of(0, blocks) : BlockRanges.of(anyBlocks());
        pull(wanted);
    }

    private void pull(BlockRanges wanted) {
        if (wanted.intersect(lost).isEmpty()) {
            store.pull(wanted, this::check);
            return;
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(1 + Math.multiplyExact(wanted.blockCount(), 40 * blockSizeBytes));
            assertEquals(lost,
                    assertThrows(IrrecoverableDataLossException.class, () -> store.pull(wanted, memory)).lostBlocks());
            long offset = 0;
            for (long i = 0; i < wanted.blockCount(); i++) {
                long id = wanted.blockAt(i);
                boolean isLost = !lost.intersect(BlockRanges.of(id, 1)).isEmpty();
                long size = isLost && kind.variable() ? 0 : sizeOf(id, versions[(int) id]);
                if (!isLost) {
                    check(id, memory.asSlice(offset, size));
                }
                offset += size;
            }
        }
    }
}
