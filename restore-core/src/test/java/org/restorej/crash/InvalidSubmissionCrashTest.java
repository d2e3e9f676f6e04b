package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.ProcessFailedException;
import org.restorej.faults.FailureAtEveryCall;

/**
 * The one PE that knows that a submission is incomplete fails, at each of its calls: what it knew must not die with it.
 */
class InvalidSubmissionCrashTest {
    private static final int PES = 4;
    private static final int CULPRIT = 1;
    private static final long BLOCKS = 40;
    private static final long BLOCKS_PER_PE = BLOCKS / PES;

    @ParameterizedTest
    @CsvSource({"false, 1", "false, 2", "true, 1", "true, 2"})
    void aFailureDoesNotMakeAnIncompleteSubmissionValid(boolean variable, long seed) {
        FailureAtEveryCall.Summary summary = FailureAtEveryCall
                .ofPart(PES, (world, part) -> submitAndRead(world, variable, part)).seed(seed)
                .at(call -> call.pe() == CULPRIT).repeatedPolls().beforeAndAfter().run();
        assertTrue(summary.calls() > 5, "calls of the refused submission: " + summary);
    }

    private boolean submitAndRead(Communicator world, boolean variable, FailureAtEveryCall.Part part) {
        BlockRange mine = BlockRange.of(world.rank() * BLOCKS_PER_PE, BLOCKS_PER_PE);
        var builder = ReStore.builder(world).blocks(BLOCKS).replication(2).noPermutation();
        try (ReStore store = (variable ? builder.variableBlockSizes(Long.BYTES) : builder.blockSizeBytes(Long.BYTES))
                .build()) {
            store.submit(submission(mine, variable, writer(1)));
            part.begin();
            Submission incomplete = submission(mine, variable,
                    world.rank() == CULPRIT ? InvalidSubmissionCrashTest::fail : writer(2));
            MemorySegment read = MemorySegment.ofArray(new long[(int) BLOCKS]);
            try {
                submitInVain(store, incomplete);
                part.end();
                store.pull(BlockRanges.of(0, BLOCKS), read);
            } catch (ProcessFailedException failure) {
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
}
