package org.restorej.comm.mpi;

import java.util.function.BooleanSupplier;
import org.restorej.comm.Communicator;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.mpi.foreign.ForeignUlfm;

/**
 * The way out of MPI where processes fail: a PE waits for all others alive, as long as they don't need it gone.
 *
 * <p>
 * It waits in an agreement on a communicator that nothing else uses, so that it can't be taken for a part of what
 * others do on theirs. When its own communicator has been revoked, or has lost a process, the others are about to
 * shrink it, and would wait for this PE for ever: it leaves, which is a failure to them. {@code MPI_Finalize} is called
 * only when nobody has failed. A failure in the middle of it made it hang in 1 of 8 jobs (Open MPI 5.0.7); the
 * {@link WaitLimit} bounds that, when told to.
 */
final class UlfmEnd {
    private static final long LOOK_INTERVAL_NANOS = 1_000_000;

    /**
     * How long this PE waits on after its communicator has become useless: for others who are on their way to the end,
     * and need of this PE only what is under way already.
     */
    private static final long GRACE_NANOS = 1_000_000_000;

    private final MpiLibrary library;
    private final MpiComm everybody;
    private final Ulfm ulfm;
    private final RankEnd rankEnd;
    private final WaitLimit waitLimit;

    /**
     * Of a process.
     *
     * @param everybody a communicator of all processes that nothing else uses
     */
    UlfmEnd(MpiLibrary library, MpiComm everybody, Ulfm ulfm, RankEnd rankEnd, WaitLimit waitLimit) {
        this.library = library;
        this.everybody = everybody;
        this.ulfm = ulfm;
        this.rankEnd = rankEnd;
        this.waitLimit = waitLimit;
    }

    /** See {@link Mpi#finish(Communicator, int)}. */
    void run(Communicator survivors, int exitCode) throws MpiException {
        if (await(everybody, ulfm, survivors, () -> leaveOthers(exitCode))) {
            waitLimit.limit("MPI_Finalize", RankMap.identity(everybody.size()), () -> {
                library.end();
                return library;
            });
            rankEnd.finished();
            return;
        }
        rankEnd.finished();
        RankEnd.leave(exitCode);
    }

    /**
     * Waits for the others, as long as they don't need this PE gone.
     *
     * @param everybody a communicator of all processes that nothing else uses
     * @param latest latest communicator of this process
     * @param leave called when this PE waits no longer
     * @return whether nobody has died and all have come to the end
     */
    static boolean await(MpiComm everybody, Ulfm ulfm, Communicator latest, Runnable leave) {
        try {
            boolean whole = ulfm.failedRanks(everybody).isEmpty() && latest.failedRanks().isEmpty();
            // Not closed when given up, or when the wait for it throws: MPI still writes to it.
            Ulfm.PendingAgreement agreement = ulfm.startAgreement(everybody, whole ? 1 : 0);
            Patience patience = new Patience();
            while (!agreement.test()) {
                if (patience.isOver(() -> !latest.isRevoked() && latest.failedRanks().isEmpty())) {
                    leave.run();
                    return false;
                }
            }
            boolean nobodyDied = agreement.agreedFlags() == 1;
            agreement.close();
            return nobodyDied;
        } catch (MpiException e) {
            if (e.meaning() != MpiException.Meaning.PROCESS_FAILED) {
                throw new Mpi.CallException("the end", e);
            }
            return false;
        }
    }

    /** One wait, in which this PE leaves when the others need it gone. */
    static final class Patience {
        private long lookNanos = System.nanoTime();
        private long usableNanos = lookNanos;

        /**
         * Whether this PE must leave; called again and again.
         *
         * @param usable whether nobody needs it gone
         */
        boolean isOver(BooleanSupplier usable) {
            long now = System.nanoTime();
            if (now - lookNanos < LOOK_INTERVAL_NANOS) {
                return false;
            }
            lookNanos = now;
            if (usable.getAsBoolean()) {
                usableNanos = now;
            }
            return now - usableNanos > GRACE_NANOS;
        }
    }

    /** The others are told of an exit code of 0 and of a signal, but not of other exit codes. */
    void leaveOthers(int exitCode) {
        if (exitCode == 0) {
            RankEnd.leave(0);
        }
        RankEnd.flush();
        ForeignUlfm.killThisProcess();
    }
}
