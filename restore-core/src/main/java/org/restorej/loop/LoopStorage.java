package org.restorej.loop;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;

/**
 * Storage outside memory in which a loop saves its state for a later job, such as folders of files ({@code LoopFiles}
 * in {@code restore-redset}). The same on every PE. {@code toString} names the place, for messages.
 */
public interface LoopStorage {
    /** Opens the storage for the PEs of a communicator, which stays the caller's. All PEs call it. */
    Level open(Communicator communicator);

    /**
     * The saved state of one iteration, without the blocks.
     *
     * @param id greater than those saved before it, in any level
     * @param iteration number of iterations done
     * @param converged whether a step has returned false in the last of them, so that {@code runWhile} ends there
     * @param shape description of the data that the loop keeps; compared when a job resumes
     * @param values in the order in which the loop keeps them, the same on all PEs
     * @param savedMillis time at which it was saved, since 1970; of several levels the latest counts
     * @param origin date and place of the checkpoint, for messages
     */
    record Saved(long id, long iteration, boolean converged, List<String> shape, List<byte[]> values,
            long savedMillis, String origin) {
        /** Copies the lists. */
        public Saved {
            shape = List.copyOf(shape);
            values = List.copyOf(values);
        }
    }

    /**
     * Why an iteration is not saved.
     *
     * @param reason for people
     * @param losesEarlier whether what was saved before it in this level can't be loaded any more either
     */
    record Unsaved(String reason, boolean losesEarlier) {}

    /** The blocks of one store that a PE saves. */
    interface Blocks {
        /** The store of the blocks. */
        ReStore store();

        /** Whether the blocks are the same in all iterations, and so are saved once. */
        boolean isConstant();

        /** Their ids. All PEs together have each block of the store once. */
        BlockRanges ids();

        /** Passes their bytes to a sink in ascending order of ids. Local. */
        void writeTo(Submission.Sink sink) throws IOException;
    }

    /**
     * Storage that the PEs of a communicator have opened. Collective calls end alike on all of them, as operations of a
     * store do. Not thread-safe.
     */
    interface Level extends AutoCloseable {
        /**
         * Opens the same storage for the survivors of a failure, after this was closed. It keeps what is known of saves
         * that can't be loaded. All survivors call it.
         */
        Level open(Communicator survivors);

        /** Whether nothing can be saved, which is logged when it is opened. The same on all PEs. Local. */
        boolean isReadOnly();

        /**
         * Whether the job starts fresh: it ignores what earlier jobs have saved. Those checkpoints are kept until
         * enough newer ones are complete. Checkpoints of an earlier start of the same job are not ignored.
         */
        boolean startsFresh();

        /** The largest id below {@code id} of which any PE sees a file. All PEs call it. */
        OptionalLong newestBelow(long id);

        /** The state saved under an id; empty if it can't be loaded, which is logged. All PEs call it. */
        Optional<Saved> find(long id);

        /**
         * Submits the saved blocks of a store. They may have been saved by another number of PEs.
         *
         * @param index of the store, in the order in which the loop keeps them
         * @return whether they could be loaded; the reason is logged otherwise
         */
        boolean load(long id, int index, ReStore store);

        /** Throws, on all PEs, if a checkpoint was skipped that other PEs might still reach. All PEs call it. */
        void requireNothingOutOfReach();

        /**
         * Starts to save an iteration. Local; errors are reported by {@link #complete}.
         *
         * @param saved what is saved with the blocks
         * @param blocks of each store; their bytes may change after the call
         */
        void write(Saved saved, List<Blocks> blocks);

        /** Whether the last {@link #write} is on disk or has failed. Local. */
        boolean isWritten();

        /**
         * Waits for the last {@link #write}, and makes it the checkpoint from which a later job resumes. All PEs call
         * it. Fails on all of them if {@link #write} has thrown, or was not called, on any.
         *
         * @return the reason of a failure; empty on all PEs on success
         */
        Optional<Unsaved> complete();

        /** Whether a user has requested the end of the job. Local. */
        boolean isStopRequested();

        /**
         * Removes a request to end the job, and the record of an earlier one. Local.
         *
         * @param ends whether to record that the job ends as requested
         */
        void acknowledgeStop(boolean ends);

        /** Closes the level without waiting for other PEs. */
        @Override
        void close();
    }
}
