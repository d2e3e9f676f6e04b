package org.restorej.redset;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Checks that the shares of all ranks have each block exactly once. All ranks go through the runs of all, in order of
 * ids. Each rank receives all runs, 16 bytes each, in exchanges of at most 1 MiB, or one run of each rank. One thread;
 * used once.
 */
final class SharePartition {
    private static final int EXCHANGED_RUNS = 1 << 16;
    /** A message names so many runs at most. */
    private static final int NAMED_RUNS = 8;

    private final RedsetChannel channel;
    private final long blockCount;
    private final BlockRanges share;
    private final int runsOfRank;
    /** Own runs that all ranks have gone through. */
    private int done;
    /** All blocks below are in some share. */
    private long covered;
    private final List<BlockRange> twice = new ArrayList<>();
    private final List<BlockRange> missing = new ArrayList<>();

    /**
     * The shares of a store.
     *
     * @param blockCount of the store
     * @param share of this rank, within the store
     */
    SharePartition(RedsetChannel channel, long blockCount, BlockRanges share) {
        this.channel = channel;
        this.blockCount = blockCount;
        this.share = share;
        runsOfRank = Math.max(1, EXCHANGED_RUNS / channel.size());
    }

    /** What is wrong first, by id; the same on all ranks, and empty when nothing is. Called by all ranks. */
    Optional<String> mistake(String operation) {
        long bound = 0;
        while (bound < Long.MAX_VALUE && twice.isEmpty() && missing.isEmpty()) {
            bound = channel.compute(operation, this::exchange);
        }
        if (bound == Long.MAX_VALUE && covered < blockCount) {
            name(BlockRange.between(covered, blockCount), missing);
        }
        if (twice.isEmpty() && missing.isEmpty()) {
            return Optional.empty();
        }
        List<String> faults = new ArrayList<>();
        describe("in more than one", twice, faults);
        describe("in none", missing, faults);
        return Optional.of("share must be such that the shares of all ranks have each of the " + blockCount
                + " blocks once; the first that are " + String.join(", and ", faults));
    }

    private static void describe(String fault, List<BlockRange> blocks, List<String> faults) {
        if (!blocks.isEmpty()) {
            faults.add(fault + ": " + BlockRanges.of(blocks));
        }
    }

    /** Exchanges runs, and checks those before an id that it returns: of these every rank has sent all. */
    private long exchange() {
        int end = Math.min(share.runCount(), done + runsOfRank);
        long bound = channel.least(end < share.runCount() ? share.runFirst(end) : Long.MAX_VALUE);
        while (end > done && share.runFirst(end - 1) >= bound) {
            end--;
        }
        ByteBuffer mine = ByteBuffer.allocate((end - done) * 2 * Long.BYTES);
        for (; done < end; done++) {
            mine.putLong(share.runFirst(done)).putLong(share.runEnd(done));
        }
        List<BlockRange> runs = new ArrayList<>();
        for (byte[] each : channel.allGather(mine.array())) {
            for (ByteBuffer told = ByteBuffer.wrap(each); told.hasRemaining();) {
                runs.add(BlockRange.between(told.getLong(), told.getLong()));
            }
        }
        runs.sort(null);
        runs.forEach(this::cover);
        return bound;
    }

    private void cover(BlockRange run) {
        if (run.first() < covered) {
            name(BlockRange.between(run.first(), Math.min(run.end(), covered)), twice);
        } else if (run.first() > covered) {
            name(BlockRange.between(covered, run.first()), missing);
        }
        covered = Math.max(covered, run.end());
    }

    private static void name(BlockRange run, List<BlockRange> runs) {
        if (runs.size() < NAMED_RUNS) {
            runs.add(run);
        }
    }
}
