package org.restorej.internal.transfer;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.settlement.Meeting;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.Peers;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.ReadPlanner;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.SegmentPool;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** What the exchanges promise beneath the store: bounded messages, even load, bytes counted. */
public final class ExchangePrograms implements ContractSuite {
    private record Traffic(long sentBytes, long receivedBytes, int peers) {
        static Traffic takenFrom(Channel channel) {
            Traffic traffic = new Traffic(channel.sentBytes(), channel.receivedBytes(), channel.peers());
            channel.resetTraffic();
            return traffic;
        }
    }

    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("anyLimitsMoveTheSameBytes", 1, ExchangePrograms::anyLimits),
            new ContractProgram("aLongWishIsAskedForInBatches", 1, ExchangePrograms::batches),
            new ContractProgram("holdersShareTheLoadEvenly", 4, ExchangePrograms::evenLoad),
            new ContractProgram("aPeServesItself", 2, ExchangePrograms::servesItself));

    private static final int BLOCK_BYTES = 8;

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** A data set of 8-byte blocks that hold their ids, submitted on a channel of its own. */
    private static final class DataSet implements AutoCloseable {
        private final Channel channel;
        private final BlockDirectory directory;
        private final ReplicaMemory memory;

        DataSet(Communicator world, long blocks, int replication, long rangeBlocks, FailedRanks lost,
                TransferLimits limits) {
            channel = new Channel(world.duplicate(), new SegmentPool(), limits);
            RangePermutation permutation = rangeBlocks == 0
                    ? RangePermutation.identity(blocks)
                    : RangePermutation.feistel(blocks, rangeBlocks, 3);
            Placement placement = new Placement(world.size(), blocks, replication);
            ReplicaMap whole = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 4, 5), FailedRanks.NONE);
            ChunkGrid grid = new ChunkGrid(whole.ring(), 100);
            memory = ReplicaMemory.allocate(whole, world.rank(), BLOCK_BYTES, grid, new SegmentPool());
            BlockDirectory everybody = new BlockDirectory(permutation, whole, grid, DamagedReplicas.NONE);
            directory = everybody.with(whole.lost(lost));
            submit(world, everybody, blocks);
        }

        private static Peers everyPe(Communicator world) {
            return new Peers(world.rank(), world.size(), rank -> rank);
        }

        private void submit(Communicator world, BlockDirectory everybody, long blocks) {
            Placement runs = new Placement(world.size(), blocks, 1);
            BlockRange mine = BlockRange.of(runs.firstPosition(world.rank()), runs.blocksIn(world.rank()));
            try (Arena arena = Arena.ofShared()) {
                MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG, mine.count() + 1);
                for (long i = 0; i < mine.count(); i++) {
                    bytes.setAtIndex(ValueLayout.JAVA_LONG, i, mine.first() + i);
                }
                Coverage coverage = new Coverage(everybody.replicaMap(), everybody.permutation(), world.rank());
                SubmitPlanner planner = new SubmitPlanner(everybody, everyPe(world), true, coverage, null);
                SourceRuns.Run source = new SourceRuns.Run(mine, new UniformLayout(mine.count(), BLOCK_BYTES), 0,
                        bytes.asSlice(0, mine.count() * BLOCK_BYTES));
                Transfer.submit(channel, planner, new SourceRuns(List.of(source)), memory,
                        channel.communicator()::iBarrier).await();
                planner.unsealedChunks().forEach(memory::seal);
                equal(true, coverage.complaint().isEmpty(), "complaint " + coverage.complaint());
                channel.resetTraffic();
            }
        }

        /** Pulls, checks, and returns what has travelled. */
        Traffic pull(Communicator world, BlockRanges wanted) {
            return pull(world, wanted, channel, Integer.MAX_VALUE);
        }

        /** Eight bytes from each server of each batch, which say whether its replicas are sound. */
        long trailerBytes(Communicator world, BlockRanges wanted, int batchPieces) {
            ReadPlanner planner = new ReadPlanner(directory, everyPe(world), wanted, BLOCK_BYTES, batchPieces);
            long bytes = 0;
            while (planner.hasNext()) {
                PieceTable batch = planner.next();
                bytes += (long) Long.BYTES * (batch.peerCount() - (batch.groupOf(world.rank()) < 0 ? 0 : 1));
            }
            return bytes;
        }

        Traffic pull(Communicator world, BlockRanges wanted, Channel channel, int batchPieces) {
            pull(world, wanted, channel, batchPieces, null);
            Traffic untilSettled = Traffic.takenFrom(channel);
            pull(world, wanted, channel, batchPieces, _ -> channel.communicator().iBarrier());
            Traffic traffic = Traffic.takenFrom(channel);
            equal(untilSettled, traffic, "the same travels");
            return traffic;
        }

        private void pull(Communicator world, BlockRanges wanted, Channel channel, int batchPieces,
                @Nullable Function<Boolean, Request> last) {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG, wanted.blockCount() + 1);
                CheckedMemory checked = new CheckedMemory(memory, directory.grid());
                ReadPlanner planner = new ReadPlanner(directory, everyPe(world), wanted, BLOCK_BYTES,
                        batchPieces);
                new Meeting().at(channel.communicator()).settle(channel, "pull",
                        () -> Outcome.of(Transfer.pull(channel, planner, new ReadPayload(checked,
                                new UniformLayout(wanted.blockCount(), BLOCK_BYTES), bytes, null, arena), last)
                                .await()));
                equal(0, checked.damagedChunks().size(), "damaged chunks");
                for (long i = 0; i < wanted.blockCount(); i++) {
                    equal(wanted.blockAt(i), bytes.getAtIndex(ValueLayout.JAVA_LONG, i), "block at " + i);
                }
            }
        }

        @Override
        public void close() {
            channel.close();
            memory.close();
        }
    }

    private static void anyLimits(Communicator world) {
        for (TransferLimits limits : List.of(new TransferLimits(64, 128, 64, 1, 1), // several messages a run
                new TransferLimits(1, 8, 1, 1, 2), // nothing is packed
                new TransferLimits(1000, 1000, 1000, 1, 1), // nearly all is packed, one frame at a time
                new TransferLimits(24, 1 << 20, 40, 3, 2))) {
            for (long rangeBlocks : new long[]{0, 1, 3, 50}) {
                try (DataSet data = new DataSet(world, 400, Math.min(2, world.size()), rangeBlocks, FailedRanks.NONE,
                        limits)) {
                    data.pull(world, BlockRanges.of(0, 400));
                    data.pull(world, BlockRanges.of(BlockRange.of(world.rank() * 3L, 5), BlockRange.of(200, 77)));
                }
            }
        }
    }

    /** Every block is a piece; the requests of a batch fit the smallest buffer, those of a whole wish don't. */
    private static void batches(Communicator world) {
        long blocks = 4_000;
        BlockRanges mine = switch (world.rank() % 3) {
            case 0 -> BlockRanges.of(0, blocks);
            case 1 -> BlockRanges.EMPTY;
            default -> BlockRanges.of(BlockRange.of(5, 100), BlockRange.of(300, 3_000));
        };
        TransferLimits limits = new TransferLimits(24, 1 << 20, 40, 3, 2);
        try (DataSet data = new DataSet(world, blocks, Math.min(2, world.size()), 1, FailedRanks.NONE, limits);
                Channel inBatches = new Channel(world.duplicate(), new SegmentPool(), limits);
                Channel atOnce = new Channel(world.duplicate(), new SegmentPool(), limits)) {
            Traffic all = data.pull(world, mine, atOnce, Integer.MAX_VALUE);
            long blockBytes = all.receivedBytes() - data.trailerBytes(world, mine, Integer.MAX_VALUE);
            for (int batchPieces : new int[]{256, 7}) {
                equal(blockBytes + data.trailerBytes(world, mine, batchPieces),
                        data.pull(world, mine, inBatches, batchPieces).receivedBytes(), "bytes");
                long most = 4 * 40 + 4_096;
                holds(inBatches.bufferBytes() <= most, "at most " + most + ": " + inBatches.bufferBytes());
            }
            long[] longest = {atOnce.bufferBytes()};
            world.allReduce(longest, Reduction.MAX);
            holds(world.size() < 3 || longest[0] > 4 * 40 + 4_096, "without batches it takes more: " + longest[0]);
        }
    }

    private static void evenLoad(Communicator world) {
        int failed = 1;
        // Pieces of 100 blocks, each from one holder; then one piece of 4 MiB, cut for all holders.
        for (long rangeBlocks : new long[]{100, 0}) {
            long perPe = rangeBlocks == 0 ? 512 << 10 : 10_000;
            long blocks = perPe * world.size();
            int replication = world.size() / 2;
            try (DataSet data = new DataSet(world, blocks, replication, rangeBlocks, FailedRanks.of(failed),
                    TransferLimits.DEFAULT)) {
                // One PE pulls all of a range that it doesn't hold; K divides P, so all its ranges have K holders.
                int range = rangeBlocks == 0 ? failed : 3;
                BlockRanges wanted = blocksOf(data, world.rank() == 0 ? range : -1);
                Traffic traffic = data.pull(world, wanted);
                long[] total = {traffic.receivedBytes(), traffic.sentBytes()};
                world.allReduce(total, Reduction.SUM);
                equal(total[0], total[1], "bytes received and served, all PEs together");
                Placement placement = data.directory.replicaMap().placement();
                int[] holders = new int[replication];
                int alive = placement.aliveHolders(range, FailedRanks.of(failed), holders);
                equal(perPe * BLOCK_BYTES + (long) alive * Long.BYTES, total[0], "bytes that travelled");
                long fair = placement.isHeldBy(range, world.rank()) && world.rank() != failed
                        ? perPe * BLOCK_BYTES / alive
                        : 0;
                long slack = Math.max(1, rangeBlocks) * BLOCK_BYTES + Long.BYTES;
                holds(Math.abs(traffic.sentBytes() - fair) <= slack, "PE " + world.rank() + " serves " + fair
                        + " bytes, give or take " + slack + ": " + traffic.sentBytes());
            }
        }
    }

    /** The blocks of a range; none of range -1. */
    private static BlockRanges blocksOf(DataSet data, int range) {
        Placement placement = data.directory.replicaMap().placement();
        return range < 0
                ? BlockRanges.EMPTY
                : BlockRanges.of(data.directory.permutation().blocksAt(placement.firstPosition(range),
                        placement.firstPosition(range + 1)));
    }

    private static void servesItself(Communicator world) {
        try (DataSet data = new DataSet(world, 100L * world.size(), world.size(), 7, FailedRanks.NONE,
                TransferLimits.DEFAULT)) {
            Traffic traffic = data.pull(world, BlockRanges.of(0, 100L * world.size()));
            equal(0L, traffic.receivedBytes(), "bytes received by a PE that holds everything");
            equal(0L, traffic.sentBytes(), "bytes served");
        }
    }
}
