package org.restorej.storm;

import static org.restorej.comm.testing.Checks.equal;

import java.io.IOException;
import java.util.SortedSet;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.TestBlocks;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Meeting;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.placement.Placement;

/**
 * A program whose size stays the same while spares are left: each PE with a rank in the store works on the share of
 * that rank, whoever had it before. Works until it is told to stop.
 */
public final class SpareNodeProgram {
    /** What every rank prints before it may die. */
    static final String WORKING = "working";

    private static final long BLOCKS = 600;
    private static final int BLOCK_BYTES = 1 << 10;
    private static final int REPLICATION = 2;

    private final Communicator world;
    private final ReStore store;

    private SpareNodeProgram(Communicator world, int spares) {
        this.world = world;
        store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES).replication(REPLICATION)
                .permutationRangeBlocks(7).spares(spares).build();
    }

    /**
     * Runs until it is told to stop.
     *
     * @param args number of spares
     */
    public static void main(String[] args) throws IOException {
        SpareNodeProgram program = new SpareNodeProgram(Mpi.world(args), Integer.parseInt(args[0]));
        Communicator survivors = program.run();
        program.store.close();
        Mpi.finish(survivors);
    }

    /** Name of the report of a rank's place, and of those that nobody has. */
    static String placeReport(int rank) {
        return "place-" + rank;
    }

    /** Text of that report: the rank in the store, or -1 of an idle spare, and who has failed. */
    static String place(int storeRank, SortedSet<?> failed) {
        return storeRank + ", without " + failed;
    }

    private Communicator run() throws IOException {
        Communicator communicator = world;
        submit();
        System.out.println(WORKING);
        boolean over = false;
        while (!over) {
            try {
                over = work(communicator);
            } catch (CommunicationFailedException failure) {
                communicator = recovered(communicator);
            }
        }
        return communicator;
    }

    private BlockRanges share() {
        if (store.isIdleSpare()) {
            return BlockRanges.EMPTY;
        }
        Placement shares = new Placement(store.placement().peCount(), BLOCKS, 1);
        int rank = store.rank().value();
        return BlockRanges.of(shares.firstPosition(rank), shares.blocksIn(rank));
    }

    private void submit() {
        TestBlocks next = new TestBlocks(BLOCK_BYTES, store.generation() + 1);
        Submission submission = new Submission();
        for (BlockRange run : share().runs()) {
            submission.add(run, next::write);
        }
        store.submit(submission);
    }

    /** Returns whether this was the last time. */
    private boolean work(Communicator communicator) {
        BlockRanges mine = share();
        new TestBlocks(BLOCK_BYTES, store.generation()).pullAndCheck(store, mine);
        long[] blocks = {mine.blockCount()};
        long[] over = {communicator.rank() == 0 && MpiRank.isTold(StormCycle.STOP) ? 1 : 0};
        new Meeting().at(communicator).settle("counting blocks", () -> {
            communicator.allReduce(blocks, Reduction.SUM);
            communicator.allReduce(over, Reduction.MAX);
            return true;
        });
        if (store.failedRanks().isEmpty()) {
            equal(BLOCKS, blocks[0], "blocks in all shares");
            submit();
        }
        return over[0] != 0;
    }

    private Communicator recovered(Communicator failed) throws IOException {
        Communicator communicator = failed;
        while (true) {
            try {
                communicator.revoke();
                Communicator survivors = communicator.shrink();
                communicator.close();
                communicator = survivors;
                store.recover(communicator);
                store.replenish();
                new TestBlocks(BLOCK_BYTES, store.generation()).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
                equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
                MpiRank.report(placeReport(world.rank()), place(store.isIdleSpare() ? -1 : store.rank().value(),
                        store.failedRanks().ranks()));
                return communicator;
            } catch (CommunicationFailedException again) {
                // Ranks of a failed node may be missed one after the other.
            }
        }
    }
}
