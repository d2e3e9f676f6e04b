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
 * A place outside memory where a loop saves what it keeps, for a later job, such as folders of files
 * ({@code LoopFiles} in {@code restore-redset}). The same on every PE. Its text, for messages, says where it is.
 */
public interface LoopStorage {
    /** Opens it for the PEs of a communicator, which stays the caller's. All PEs call it. */
    Level open(Communicator communicator);

    /**
     * What is saved of one iteration, beside the blocks.
     *
     * @param id greater than those saved before it, in any level
     * @param iteration number of iterations that were done
     * @param shape what the loop keeps, in words that are compared
     * @param values in the order in which the loop keeps them, the same on all PEs
     * @param origin from when and where it is, for people
     */
    record Saved(long id, long iteration, List<String> shape, List<byte[]> values, String origin) {
        /** Copies the lists. */
        public Saved {
            shape = List.copyOf(shape);
            values = List.copyOf(values);
        }
    }

    /** The blocks of one store that a PE saves. */
    interface Blocks {
        /** Their store. */
        ReStore store();

        /** Whether they are the same in all iterations: saved once. */
        boolean isConstant();

        /** Which they are. All PEs together have each block of the store once. */
        BlockRanges ids();

        /** Hands out their bytes, in ascending order of ids. Local. */
        void writeTo(Submission.Sink sink) throws IOException;
    }

    /**
     * Storage that the PEs of a communicator have opened. Collective calls end alike on all of them, as operations
     * of a store do. Not thread-safe.
     */
    interface Level extends AutoCloseable {
        /**
         * Whether what earlier jobs have left isn't wanted: it stays until enough newer ones are complete. What an
         * earlier start of the same job has left is wanted all the same.
         */
        boolean beginsAnew();

        /** Id of the newest before another one, of which any PE sees anything. All PEs call it. */
        OptionalLong newestBelow(long id);

        /** What is saved under an id; empty when it can't be had, which is logged. All PEs call it. */
        Optional<Saved> find(long id);

        /**
         * Submits the blocks of a store, of as many PEs as there are.
         *
         * @param index of the store, in the order in which the loop keeps them
         * @return whether they could be had; otherwise it is logged why not
         */
        boolean load(long id, int index, ReStore store);

        /** Throws, on all PEs, when something was passed over that others could still have. All PEs call it. */
        void requireNothingOutOfReach();

        /**
         * Begins to save an iteration. Local; what goes wrong is told by {@link #complete}.
         *
         * @param saved what is saved with the blocks
         * @param blocks of each store; their bytes may change when this returns
         */
        void write(Saved saved, List<Blocks> blocks);

        /** Whether what was written last is on the disk, or has failed. Local. */
        boolean isWritten();

        /**
         * Waits for what was written, and makes it what a later job goes on from. All PEs call it. Fails on all
         * when {@link #write} has thrown on any, or was not called there.
         *
         * @return why that can't be done; empty on all PEs when it is
         */
        Optional<String> complete();

        /** Whether somebody wants the job to end. Local. */
        boolean isStopRequested();

        /** The job ends now, as was wanted. Local. */
        void acknowledgeStop();

        /** Never waits for others. */
        @Override
        void close();
    }
}
