package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.block.BlockRange;
import org.restorej.InvalidSubmissionException;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.local.FaultInjector;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;

/**
 * The one PE that knows that a submission is incomplete dies, at each of its calls: what it knew must not die with it.
 */
class InvalidSubmissionCrashTest {
    private static final int PES = 4;
    private static final int CULPRIT = 1;
    private static final long BLOCKS = 40;
    private static final long BLOCKS_PER_PE = BLOCKS / PES;
    private static final long NEVER = Long.MAX_VALUE;

    /** Calls of the culprit so far, when the refused submission began, and when it ended. */
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong begin = new AtomicLong(-1);
    private final AtomicLong end = new AtomicLong();

    @ParameterizedTest
    @CsvSource({"false, 1", "false, 2", "true, 1", "true, 2"})
    void aDeathDoesNotMakeAnIncompleteSubmissionValid(boolean variable, long seed) {
        run(variable, seed, NEVER, FaultInjector.Fate.LIVES);
        long first = begin.get();
        long last = end.get();
        assertTrue(last - first > 5, "calls of the refused submission: " + (last - first));
        for (long call = first; call < last; call++) {
            run(variable, seed, call, FaultInjector.Fate.DIES_BEFORE);
            run(variable, seed, call, FaultInjector.Fate.DIES_AFTER);
        }
    }

    private void run(boolean variable, long seed, long deadlyCall, FaultInjector.Fate fate) {
        calls.set(0);
        FaultInjector injector = (rank, index, operation) -> {
            if (rank.value() != CULPRIT) {
                return FaultInjector.Fate.LIVES;
            }
            calls.set(index + 1);
            return index == deadlyCall ? fate : FaultInjector.Fate.LIVES;
        };
        try (LocalCluster cluster = LocalCluster.builder(PES).faults(injector).singleStepping(seed)
                .timeout(Duration.ofMinutes(1)).build()) {
            List<PeOutcome<Boolean>> outcomes = cluster.run(world -> submitAndRead(world, variable));
            long survivors = outcomes.stream().filter(outcome -> outcome instanceof PeOutcome.Returned).count();
            assertEquals(deadlyCall == NEVER ? PES : PES - 1, survivors,
                    () -> fate + " at " + deadlyCall + ": " + outcomes);
        }
    }

    private boolean submitAndRead(Communicator world, boolean variable) {
        BlockRange mine = BlockRange.of(world.rank() * BLOCKS_PER_PE, BLOCKS_PER_PE);
        var builder = ReStore.builder(world).blocks(BLOCKS).replication(2).noPermutation();
        try (ReStore store = (variable ? builder.variableBlockSizes(Long.BYTES) : builder.blockSizeBytes(Long.BYTES))
                .build()) {
            store.submit(submission(mine, variable, writer(1)));
            begin(world);
            Submission incomplete = submission(mine, variable,
                    world.rank() == CULPRIT ? InvalidSubmissionCrashTest::fail : writer(2));
            MemorySegment read = MemorySegment.ofArray(new long[(int) BLOCKS]);
            try {
                submitInVain(store, incomplete);
                end(world);
                store.pull(BlockRanges.of(0, BLOCKS), read);
            } catch (ProcessFailedException death) {
                store.recover(world.shrink());
                store.pull(BlockRanges.of(0, BLOCKS), read);
            }
            for (long block = 0; block < BLOCKS; block++) {
                assertEquals(block * 10 + 1, read.getAtIndex(ValueLayout.JAVA_LONG, block));
            }
            return true;
        }
    }

    private static void submitInVain(ReStore store, Submission submission) {
        try {
            store.submit(submission);
        } catch (InvalidSubmissionException refused) {
            return;
        }
        throw new AssertionError("an incomplete submission was taken");
    }

    private static Submission submission(BlockRange mine, boolean variable, BlockRange.Writer writer) {
        return variable
                ? new Submission().add(mine, block -> Long.BYTES, writer)
                : new Submission().add(mine, writer);
    }

    private static BlockRange.Writer writer(long version) {
        return (block, memory) -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, block * 10 + version);
    }

    private static void fail(long block, MemorySegment memory) {
        throw new IllegalStateException("no data of block " + block);
    }

    private void begin(Communicator world) {
        if (world.rank() == CULPRIT && begin.get() < 0) {
            begin.set(calls.get());
        }
    }

    private void end(Communicator world) {
        if (world.rank() == CULPRIT && end.get() == 0) {
            end.set(calls.get());
        }
    }
}
