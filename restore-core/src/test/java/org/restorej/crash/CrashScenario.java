package org.restorej.crash;

import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.testing.Failures;

/**
 * A program in which PEs may die anywhere: it prepares a store, does one operation, and goes on until the survivors
 * have read everything back.
 *
 * @param operation the operation
 * @param pes number of PEs
 * @param replication replication level K; of coded blocks the number of parts
 * @param parityParts how many of them are parity; 0 where blocks are not coded
 * @param failures how many PEs are made to die, the one that an operation needs to have something to do included
 */
record CrashScenario(CrashOperation operation, int pes, int replication, int parityParts, int failures) {
    /** How many failures may lose something, at least. */
    int redundancy() {
        return parityParts > 0 ? parityParts + 1 : replication;
    }

    /** The operations in which PEs die. */
    enum CrashOperation {
        /** A third generation is submitted. */
        SUBMIT,
        /** Everybody pulls blocks that others hold. */
        PULL,
        /** After a failure, survivors recover the store. */
        RECOVER,
        /** After a failure and a recovery, survivors replenish. */
        REPLENISH,
        /** A third generation of blocks of different sizes is submitted. */
        SUBMIT_SIZED,
        /** Everybody pulls blocks of different sizes. */
        PULL_SIZED,
        /** After a failure and a recovery, survivors replenish blocks of different sizes. */
        REPLENISH_SIZED,
        /** Some blocks are changed. */
        CHANGE,
        /** Two stores get a third generation together. */
        COMMIT,
        /** Everybody reads, and finds a damaged replica. */
        PULL_DAMAGED,
        /** A damaged replica is found and repaired. */
        REPAIR,
        /** A third generation is submitted while the application communicates. */
        PENDING_SUBMIT,
        /** Two stores get a third generation together, submitted while the application communicates. */
        PENDING_COMMIT,
        /** After a failure and a recovery, survivors replenish while the application communicates. */
        PENDING_REPLENISH;

        boolean needsAFailure() {
            return this == RECOVER || this == REPLENISH || this == REPLENISH_SIZED || this == PENDING_REPLENISH;
        }

        boolean isSized() {
            return this == SUBMIT_SIZED || this == PULL_SIZED || this == REPLENISH_SIZED;
        }

        boolean submitsAll() {
            return this == SUBMIT || this == SUBMIT_SIZED || this == PENDING_SUBMIT || hasTwoStores();
        }

        boolean hasTwoStores() {
            return this == COMMIT || this == PENDING_COMMIT;
        }

        boolean changesBlocks() {
            return this == CHANGE;
        }

        /** Whether it makes good what a failure or damage has taken. */
        boolean repairs() {
            return needsAFailure() || this == REPAIR;
        }

        /** Whether it is another one with more to it: blocks of different sizes, two stores, damage. */
        boolean isVariant() {
            return compareTo(REPLENISH) > 0;
        }
    }

    /**
     * How a survivor ended.
     *
     * @param done whether the operation returned
     * @param generation generation at the end
     * @param lost blocks that were lost
     */
    record End(boolean done, long generation, BlockRanges lost) {}

    /**
     * Runs it on one PE.
     *
     * @param operationPart is told where the operation begins and ends
     */
    End run(Communicator world, FailureAtEveryCall.Part operationPart) {
        try (CrashData data = CrashData.build(world, this)) {
            data.submit(world, 1);
            if (operation.submitsAll()) {
                // The third generation is received into the memory of the first.
                data.submit(world, 2);
            }
            Communicator comm = operation.needsAFailure() ? Failures.lose(world, world.size() - 1) : world;
            if (operation.needsAFailure() && operation != CrashOperation.RECOVER) {
                data.recover(comm);
            }
            if (operation == CrashOperation.PULL_DAMAGED || operation == CrashOperation.REPAIR) {
                data.damageOneReplica();
            }
            operationPart.begin();
            boolean done = attempt(comm, data);
            operationPart.end();
            return readEverything(comm, data, done);
        }
    }

    /** Does the operation; says whether it returned. */
    private boolean attempt(Communicator comm, CrashData data) {
        try {
            switch (operation) {
                case SUBMIT, SUBMIT_SIZED -> data.submit(comm, data.generation() + 1);
                case PULL, PULL_SIZED -> data.checkPulled(share(comm.rank()));
                case PULL_DAMAGED -> data.checkPulledOfDamaged(share(comm.rank()));
                case RECOVER -> data.recover(comm);
                case REPLENISH, REPLENISH_SIZED -> data.replenish();
                case CHANGE -> data.change(comm, 2);
                case COMMIT -> data.commitTogether(comm, data.generation() + 1);
                case REPAIR -> data.scrubAndRepair();
                case PENDING_SUBMIT -> data.submitMeanwhile(comm, data.generation() + 1);
                case PENDING_COMMIT -> data.commitMeanwhile(comm, data.generation() + 1);
                case PENDING_REPLENISH -> data.replenishMeanwhile(comm);
            }
            return true;
        } catch (CommunicationFailedException failure) {
            return false;
        }
    }

    private static BlockRanges share(int rank) {
        return BlockRanges.of(BlockRange.of(rank, 20), BlockRange.of(50, 7));
    }

    /** Whatever has happened: the survivors come together and each reads all blocks that are left. */
    private End readEverything(Communicator comm, CrashData data, boolean done) {
        Communicator current = comm;
        if (!done) {
            current = recover(comm, data);
        }
        while (true) {
            try {
                BlockRanges lost = new Meeting().at(current).settle("reading everything",
                        () -> data.checkAll(failures));
                return new End(done, data.generation(), lost);
            } catch (CommunicationFailedException failure) {
                current = recover(current, data);
            }
        }
    }

    private static Communicator recover(Communicator comm, CrashData data) {
        Communicator current = comm;
        while (true) {
            try {
                current.revoke();
                current = current.shrink();
                data.recover(current);
                return current;
            } catch (CommunicationFailedException again) {
                // One more has failed.
            }
        }
    }
}
