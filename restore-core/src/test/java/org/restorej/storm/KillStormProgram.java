package org.restorej.storm;

import static org.restorej.comm.testing.Checks.equal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.HookedCommunicator;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * Cycles through the operations of a store while ranks die, and recovers each time: by hand or with a
 * {@link CheckpointLoop}. Reports who was missing after each recovery, and at the end what was seen.
 */
public final class KillStormProgram {
    /** Argument: recover with {@link CheckpointLoop}. */
    static final String LOOP = "--loop";

    /** Argument: recover with the methods of the store. */
    static final String BY_HAND = "--by-hand";

    /** Argument: as {@link #BY_HAND}, and submit in the background, with little else to do. */
    static final String PENDING = "--pending";

    /** What every rank prints before it may die. */
    static final String WORKING = "working";

    private final Communicator world;
    private final int rank;
    private final StormCycle cycle;
    private final Map<StormCycle.Phase, Integer> interrupted = new TreeMap<>();
    private int cycles;
    private FailedRanks reported = FailedRanks.NONE;

    private KillStormProgram(Communicator world, Redundancy redundancy) {
        this.world = world;
        rank = world.rank();
        cycle = new StormCycle(world, redundancy);
    }

    /**
     * Runs until it is told to stop.
     *
     * @param args {@link #LOOP}, {@link #BY_HAND} or {@link #PENDING}; the {@link Redundancy}
     */
    public static void main(String[] args) throws IOException {
        Communicator everybody = Mpi.world(args);
        Mine mine = new Mine(everybody.rank());
        Hold hold = new Hold(everybody.rank());
        Communicator world = new HookedCommunicator(everybody, () -> {
            mine.step();
            hold.step();
        });
        KillStormProgram program = new KillStormProgram(world, Redundancy.of(args[1]));
        hold.watch(program.cycle);
        Communicator survivors = switch (args[0]) {
            case LOOP -> program.runLoop();
            case BY_HAND -> program.runByHand(program::cycleByHand);
            default -> program.runByHand(program::cyclePending);
        };
        ReStore store = program.cycle.store();
        MpiRank.report(endReport(program.rank), "OK generation=" + store.generation() + " failed="
                + describe(store.failedRanks()));
        MpiRank.report(phaseReport(program.rank), program.cycles + " cycles, interrupted in " + program.interrupted);
        store.close();
        mine.beforeFinish();
        Mpi.finish(survivors);
    }

    /** Name of the report of a rank that came to the end. */
    static String endReport(int rank) {
        return "end-" + rank;
    }

    /** Name of the report in which phases a rank noticed failures. */
    static String phaseReport(int rank) {
        return "phases-" + rank;
    }

    /** Name of the report who was missing at a rank's latest complete recovery. */
    static String recoveryReport(int rank) {
        return "recovered-" + rank;
    }

    private static String describe(FailedRanks failedRanks) {
        return failedRanks.ranks().toString();
    }

    private Communicator runLoop() {
        try (CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), StormCycle.BLOCKS),
                CheckpointInterval.iterations(1))) {
            loop.onRecovery(recovery -> noteInterruption());
            // They are ways to die here, and several ranks may die so in the same iteration.
            loop.exceptionLimit(world.size());
            loop.keep(new StormBlocks(cycle));
            loop.run(0, (communicator, iteration) -> {});
            System.out.println(WORKING);
            loop.runWhile(Long.MAX_VALUE, (communicator, iteration) -> {
                equal(iteration + 1, cycle.store().generation(), "generation");
                cycle.checkAfterRecovery(communicator);
                // Not in onRecovery: the replicas aren't back then, and the next failure could lose blocks.
                reportRecovery();
                cycles++;
                return !cycle.read(communicator);
            });
            return loop.communicator();
        }
    }

    /** The blocks of a generation, as the cycle knows them. */
    private static final class StormBlocks extends LoopData {
        private final StormCycle cycle;
        private BlockRanges mine = BlockRanges.EMPTY;

        StormBlocks(StormCycle cycle) {
            super(cycle.store());
            this.cycle = cycle;
        }

        @Override
        protected void initialize(BlockRanges blocks) {
            mine = blocks;
        }

        @Override
        protected Submission submission() {
            return cycle.submission(mine);
        }

        @Override
        protected void takeOver(PulledBlocks blocks, BlockRanges all) {
            equal(all, blocks.ids(), "blocks that are read");
            cycle.content().checkAll(blocks.ids(), blocks.bytes());
            mine = all;
        }
    }

    /** One cycle; says whether it was the last one. */
    private boolean cycleByHand(Communicator communicator) {
        cycle.checkAfterRecovery(communicator);
        cycle.submit(equalShare(communicator));
        return cycle.read(communicator);
    }

    private boolean cyclePending(Communicator communicator) {
        cycle.checkAfterRecovery(communicator);
        cycle.submitMeanwhile(communicator, equalShare(communicator));
        return StormCycle.isOver(communicator);
    }

    private Communicator runByHand(Predicate<Communicator> oneCycle) {
        Communicator communicator = world;
        cycle.submit(equalShare(communicator));
        System.out.println(WORKING);
        boolean over = false;
        while (!over) {
            try {
                over = oneCycle.test(communicator);
                cycles++;
            } catch (CommunicationFailedException failure) {
                noteInterruption();
                communicator = recovered(communicator);
            }
        }
        return communicator;
    }

    private static BlockRanges equalShare(Communicator communicator) {
        Placement shares = new Placement(communicator.size(), StormCycle.BLOCKS, 1);
        long first = shares.firstPosition(communicator.rank());
        return BlockRanges.of(first, shares.blocksIn(communicator.rank()));
    }

    private Communicator recovered(Communicator failed) {
        Communicator communicator = failed;
        while (true) {
            try {
                cycle.enter(StormCycle.Phase.RECOVER);
                communicator.revoke();
                Communicator survivors = communicator.shrink();
                communicator.close();
                communicator = survivors;
                cycle.store().recover(communicator);
                cycle.enter(StormCycle.Phase.HEAL);
                cycle.store().replenish();
                cycle.checkEverything(communicator);
                reportRecovery();
                return communicator;
            } catch (CommunicationFailedException again) {
                noteInterruption();
            }
        }
    }

    private void noteInterruption() {
        interrupted.merge(cycle.phase(), 1, Integer::sum);
    }

    /** Reports the failed ranks, unless it did so before. */
    private void reportRecovery() {
        FailedRanks failed = cycle.store().failedRanks();
        if (failed.equals(reported)) {
            return;
        }
        try {
            MpiRank.report(recoveryReport(rank), describe(failed));
            reported = failed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
