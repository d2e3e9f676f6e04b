package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.restorej.block.BlockRanges;
import org.restorej.internal.storage.BlockLayout;

/**
 * Brings blocks from the replica memories of their holders to those who want them.
 *
 * <p>
 * Who serves is computed, not negotiated: a PE serves itself when it can; otherwise {@link ServerChoice} spreads its
 * wishes evenly over the alive holders. A requester posts its receives and sends each server one message with the
 * positions it wants; a server checks the checksums of what it is asked for, and answers from replica memory while it
 * is still waiting for others. A long wish is asked for in batches, all in one round, so that no plan grows with it.
 * For n wanted bytes a PE receives n bytes. When some server has found damage, what was delivered may be wrong, and the
 * exchange is to be repeated without the damaged replicas.
 */
public final class PullExchange {
    /** A piece takes some 70 bytes in the plans of who asks for it, and as many where it is served: 9 MiB a batch. */
    private static final int BATCH_PIECES = 1 << 17;

    private final Channel channel;
    private final BlockDirectory directory;
    private final CheckedMemory memory;
    private final long typicalBlockBytes;
    private final int originalRank;
    private final int[] holders;
    private final SegmentAllocator allocator;
    private final int batchPieces;
    private final List<ServerVerdicts> verdicts = new ArrayList<>();
    private final PieceTable.Builder lostPieces = new PieceTable.Builder();

    /**
     * An exchange.
     *
     * @param directory where the replicas are
     * @param memory this PE's part of them
     * @param typicalBlockBytes about the size of a block, the same on every PE: decides which pieces are worth cutting
     * @param originalRank this PE
     * @param allocator of memory for messages, which stays until the exchange is over, and after a failure until the
     *        survivors have shrunk
     */
    public PullExchange(Channel channel, BlockDirectory directory, CheckedMemory memory, long typicalBlockBytes,
            int originalRank, SegmentAllocator allocator) {
        this(channel, directory, memory, typicalBlockBytes, originalRank, allocator, BATCH_PIECES);
    }

    /** As above, with another number of pieces that are asked for at a time. */
    PullExchange(Channel channel, BlockDirectory directory, CheckedMemory memory, long typicalBlockBytes,
            int originalRank, SegmentAllocator allocator, int batchPieces) {
        this.batchPieces = batchPieces;
        this.channel = channel;
        this.directory = directory;
        this.memory = memory;
        this.typicalBlockBytes = typicalBlockBytes;
        this.originalRank = originalRank;
        this.allocator = allocator;
        holders = new int[directory.replication()];
    }

    /** First positions of the chunks that were asked of this PE and whose bytes don't fit their checksum. */
    public LongSet damagedChunks() {
        return memory.damagedChunks();
    }

    /** Whether everything that was delivered fits its checksum, as those say who have read it from their memory. */
    public boolean deliveredSound() {
        return memory.damagedChunks().isEmpty() && verdicts.stream().noneMatch(ServerVerdicts::anyDamaged);
    }

    /** Number of wanted pieces that nobody alive holds; their places in the destination are as they were. */
    public int lostPieceCount() {
        return lostPieces.size();
    }

    /** Takes wanted pieces that nobody alive holds. */
    @FunctionalInterface
    public interface LostPieceConsumer {
        /**
         * Takes one piece.
         *
         * @param position first position
         * @param count number of blocks
         * @param slot place of the first block among the wanted ones
         */
        void accept(long position, long count, long slot);
    }

    /** The wanted pieces that nobody alive holds, in ascending order of slots. */
    public void forEachLostPiece(LostPieceConsumer consumer) {
        PieceTable pieces = lostPieces.build(1);
        for (int piece = 0; piece < lostPieces.size(); piece++) {
            consumer.accept(pieces.position(piece), pieces.count(piece), pieces.slot(piece));
        }
    }

    /**
     * Fetches blocks by asking for them. Called by all PEs; one that wants nothing still serves.
     *
     * @param wanted what this PE wants
     * @param layout of the wanted blocks in ascending order of their ids
     * @param destination off-heap; filled with the blocks
     */
    public void pull(BlockRanges wanted, BlockLayout layout, MemorySegment destination) {
        channel.beginTransfers();
        channel.announceAndTransfer(new Wishes(wanted, layout, destination, batchPieces),
                (requester, message) -> serve(requester, PieceTable.decode(requester, message)),
                pieces -> serveItself(pieces, layout, destination));
    }

    /**
     * Brings blocks to those who want them without requests, since every PE knows what everyone wants. Called by all
     * PEs. Computing takes every PE time linear in the wishes of all.
     *
     * @param peers store rank of each PE, or -1, by current rank
     * @param wanted what each PE wants, by current rank; the same on every PE
     * @param layout of the blocks that this PE wants in ascending order of their ids
     * @param destination off-heap; filled with those blocks
     */
    public void push(int[] peers, BlockRanges[] wanted, BlockLayout layout, MemorySegment destination) {
        channel.beginTransfers();
        PieceTable pieces = new Wishes(wanted[channel.rank()], layout, destination, Integer.MAX_VALUE).next();
        for (int peer = 0; peer < peers.length; peer++) {
            if (peer != channel.rank()) {
                PieceTable.Builder served = new PieceTable.Builder();
                forEachServedPiece(wanted[peer], peers[peer], (server, position, count, slot) -> {
                    if (server == originalRank) {
                        served.add(0, position, count, slot);
                    }
                });
                if (served.size() > 0) {
                    serve(peer, served.build(1));
                }
            }
        }
        serveItself(pieces, layout, destination);
        channel.transfer();
    }

    /**
     * What this PE wants, in batches of pieces by current rank of server; there is one also of an empty wish. This PE
     * is ready to receive a batch when it has been asked for.
     */
    private final class Wishes implements Iterator<PieceTable> {
        private final BlockRanges wanted;
        private final BlockLayout layout;
        private final MemorySegment destination;
        private final int batchPieces;
        private final ServerChoice choice = new ServerChoice(originalRank, typicalBlockBytes, this::add);
        private PieceTable.Builder batch = new PieceTable.Builder();
        private boolean begun;
        private int run;
        private long done;

        Wishes(BlockRanges wanted, BlockLayout layout, MemorySegment destination, int batchPieces) {
            this.wanted = wanted;
            this.layout = layout;
            this.destination = destination;
            this.batchPieces = batchPieces;
        }

        @Override
        public boolean hasNext() {
            return !begun || run < wanted.runCount();
        }

        @Override
        public PieceTable next() {
            if (!hasNext()) {
                throw new NoSuchElementException("all " + wanted.blockCount() + " wanted blocks were asked for");
            }
            begun = true;
            batch = new PieceTable.Builder();
            while (run < wanted.runCount() && batch.size() < batchPieces) {
                long first = wanted.runFirst(run) + done;
                long together = Math.min(wanted.runEnd(run) - first, directory.permutation().runAt(first));
                split(first, together, wanted.blocksBefore(run) + done, choice);
                done += together;
                if (first + together == wanted.runEnd(run)) {
                    run++;
                    done = 0;
                }
            }
            PieceTable pieces = batch.build(channel.size());
            receive(pieces);
            return pieces;
        }

        private void add(int server, long position, long count, long slot) {
            if (server < 0) {
                lostPieces.add(0, position, count, slot);
            } else {
                batch.add(channel.currentRankOf(server), position, count, slot);
            }
        }

        private void receive(PieceTable pieces) {
            ServerVerdicts expected = new ServerVerdicts(pieces.peerCount(), allocator);
            verdicts.add(expected);
            for (int group = 0; group < pieces.peerCount(); group++) {
                if (pieces.peer(group) != channel.rank()) {
                    ByteRuns target = pieces.runs(group, PieceTable.PieceMemory.slots(destination, layout));
                    channel.transfers().receive(pieces.peer(group),
                            memory.checks() ? ByteRuns.concat(target, expected.toReceive()) : target);
                }
            }
        }
    }

    /** Copies what this PE holds itself. */
    private void serveItself(PieceTable pieces, BlockLayout layout, MemorySegment destination) {
        int group = pieces.groupOf(channel.rank());
        if (group >= 0) {
            memory.copyChecked(pieces, group,
                    pieces.runs(group, PieceTable.PieceMemory.slots(destination, layout)));
        }
    }

    /** Sends the pieces of a table of one group. */
    private void serve(int requester, PieceTable pieces) {
        channel.transfers().send(requester, memory.checkedRunsWithVerdict(pieces, 0));
    }

    private void forEachServedPiece(BlockRanges wanted, int requester, ServerChoice.ServedPieceConsumer consumer) {
        ServerChoice choice = new ServerChoice(requester, typicalBlockBytes, consumer);
        for (int run = 0; run < wanted.runCount(); run++) {
            split(wanted.runFirst(run), wanted.runEnd(run) - wanted.runFirst(run), wanted.blocksBefore(run), choice);
        }
    }

    private void split(long firstBlock, long blocks, long firstSlot, ServerChoice choice) {
        PieceSplitter.split(directory, firstBlock, blocks, firstSlot, (range, part, position, count, slot) -> choice
                .accept(holders, directory.holders(range, part, position, holders), position, count, slot));
    }
}
