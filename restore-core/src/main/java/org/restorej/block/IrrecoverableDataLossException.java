package org.restorej.block;

import java.util.stream.LongStream;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.placement.FailedRanks;

/**
 * Thrown when all holders of some blocks have failed: on every survivor, with the same blocks, by a pull in which a PE
 * requested one of them. All other requested blocks have been delivered, and stay readable. If PEs have failed before
 * the first submission was done, all blocks count as lost.
 */
public class IrrecoverableDataLossException extends RuntimeException implements KnownToAll {
    private static final long serialVersionUID = 1L;

    /** First id and length of each run of lost blocks; numbers, so that they can be serialized. */
    private final long[] lostRuns;
    private final int[] failedRanks;

    /**
     * Creates the exception for the survivors of a pull.
     *
     * @param lostBlocks all lost blocks of the store
     * @param failedRanks the store ranks that have failed
     */
    public IrrecoverableDataLossException(BlockRanges lostBlocks, FailedRanks failedRanks) {
        this("no surviving PE holds blocks " + lostBlocks, lostBlocks, failedRanks);
    }

    private IrrecoverableDataLossException(String what, BlockRanges lostBlocks, FailedRanks failedRanks) {
        super(what + ": failed store ranks " + failedRanks);
        lostRuns = lostBlocks.runs().stream().flatMapToLong(run -> LongStream.of(run.first(), run.count())).toArray();
        this.failedRanks = failedRanks.values();
    }

    /**
     * Creates the exception for the case that PEs have failed before the first submission was done, and there is no
     * fallback or it could not read a block.
     *
     * @param all every block of the store
     * @param failedRanks the store ranks that have failed
     */
    public static IrrecoverableDataLossException withoutSubmission(BlockRanges all, FailedRanks failedRanks) {
        return new IrrecoverableDataLossException(
                "no PE holds blocks " + all + ", as nothing had been submitted, and no fallback has read them", all,
                failedRanks);
    }

    /** All lost blocks of the store, whether requested or not. */
    public BlockRanges lostBlocks() {
        BlockRanges.Builder lost = new BlockRanges.Builder();
        for (int run = 0; run < lostRuns.length; run += 2) {
            lost.add(lostRuns[run], lostRuns[run + 1]);
        }
        return lost.build();
    }

    /** The store ranks that have failed. */
    public FailedRanks failedRanks() {
        return FailedRanks.of(failedRanks);
    }
}
