package org.restorej.exchange;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.restorej.placement.RangePermutation;
import org.restorej.placement.Residency;
import org.restorej.storage.ReplicaMemory;

/**
 * Brings submitted blocks into the replica memories of their holders.
 *
 * <p>
 * A sender tells each holder, by the sparse all-to-all, which runs of positions it has for it; the holder then knows
 * which bytes come from whom and where they go, and receives long runs straight into its replica memory while the
 * sender sends straight from the application's. For n submitted bytes a PE sends {@code K * n} bytes, and as many
 * messages as there are holders plus long runs. One exchange fills one replica memory, in one round or several.
 */
public final class SubmitExchange {
    private final Channel channel;
    private final RangePermutation permutation;
    private final Residency residency;
    private final ReplicaMemory memory;
    private final long blockSizeBytes;
    private final Coverage coverage;

    /**
     * An exchange.
     *
     * @param residency where the replicas are to be
     * @param memory this PE's part of them, to be filled
     * @param originalRank this PE
     */
    public SubmitExchange(Channel channel, RangePermutation permutation, Residency residency, ReplicaMemory memory,
            long blockSizeBytes, int originalRank) {
        this.channel = channel;
        this.permutation = permutation;
        this.residency = residency;
        this.memory = memory;
        this.blockSizeBytes = blockSizeBytes;
        coverage = new Coverage(residency, permutation, originalRank);
    }

    /**
     * Sends these runs to their holders and receives what the other PEs send in the same round. Called by all PEs, the
     * same number of times. The memory of the runs is free to use afterwards.
     *
     * @return bytes that this PE sent to others
     */
    public long round(List<SourceRun> runs) {
        long[] firstSlots = firstSlots(runs);
        PieceTable pieces = pieces(runs, firstSlots);
        channel.beginTransfers();
        long sentBytes = 0;
        for (int group = 0; group < pieces.peerCount(); group++) {
            ByteRuns source = pieces.runs(group, blockSizeBytes,
                    (table, piece) -> source(runs, firstSlots, table.slot(piece), table.count(piece)));
            if (pieces.peer(group) == channel.rank()) {
                receive(pieces, group, source);
            } else {
                channel.transfers().send(pieces.peer(group), source);
                sentBytes += source.totalBytes();
            }
        }
        channel.announceAndTransfer(pieces, (source, message) -> {
            PieceTable announced = PieceTable.decode(source, message);
            markAll(announced, 0);
            channel.transfers().receive(source, announced.runs(0, blockSizeBytes, this::inMemory));
        });
        return sentBytes;
    }

    /** Slots number the blocks of all runs, one run after the other. */
    private static long[] firstSlots(List<SourceRun> runs) {
        long[] firstSlots = new long[runs.size() + 1];
        for (int run = 0; run < runs.size(); run++) {
            firstSlots[run + 1] = firstSlots[run] + runs.get(run).blocks().count();
        }
        return firstSlots;
    }

    private PieceTable pieces(List<SourceRun> runs, long[] firstSlots) {
        PieceTable.Builder builder = new PieceTable.Builder();
        int[] holders = new int[residency.placement().replication()];
        for (int run = 0; run < runs.size(); run++) {
            PieceSplitter.split(permutation, residency, runs.get(run).blocks().first(),
                    runs.get(run).blocks().count(), firstSlots[run], (range, part, position, count, slot) -> {
                        int holderCount = residency.holders(range, part, holders);
                        for (int i = 0; i < holderCount; i++) {
                            builder.add(channel.currentRankOf(holders[i]), position, count, slot);
                        }
                    });
        }
        return builder.build(channel.size());
    }

    private MemorySegment source(List<SourceRun> runs, long[] firstSlots, long slot, long count) {
        int run = runOf(firstSlots, slot);
        return runs.get(run).bytes().asSlice((slot - firstSlots[run]) * blockSizeBytes, count * blockSizeBytes);
    }

    /** The last run that begins at this slot or before; empty runs begin where the next one does. */
    private static int runOf(long[] firstSlots, long slot) {
        int found = Arrays.binarySearch(firstSlots, slot);
        int run = found >= 0 ? found : -found - 2;
        while (firstSlots[run + 1] == slot) {
            run++;
        }
        return run;
    }

    private MemorySegment inMemory(PieceTable table, int piece) {
        return memory.at(table.position(piece), table.count(piece));
    }

    /** This PE is a holder of its own blocks. */
    private void receive(PieceTable pieces, int group, ByteRuns source) {
        markAll(pieces, group);
        for (int run = 0; run < source.count(); run++) {
            inMemory(pieces, pieces.start(group) + run).copyFrom(source.segment(run));
        }
    }

    private void markAll(PieceTable pieces, int group) {
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            coverage.mark(pieces.position(piece), pieces.count(piece));
        }
    }

    /** What is wrong with the blocks that this PE watches, after all rounds: ids submitted twice, or not at all. */
    public Optional<String> complaint() {
        Coverage.FaultyBlocks twice = coverage.twice();
        Coverage.FaultyBlocks missing = coverage.missing();
        if (twice.isEmpty() && missing.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of((twice.isEmpty() ? "" : "blocks submitted more than once: " + twice)
                + (twice.isEmpty() || missing.isEmpty() ? "" : "; ")
                + (missing.isEmpty() ? "" : "blocks submitted by nobody: " + missing));
    }
}
