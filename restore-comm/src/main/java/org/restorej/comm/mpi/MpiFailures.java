package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.RankMap;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.program.ProgramRun;

/** What has failed in a communicator on MPI, and what the errors of its calls mean. */
final class MpiFailures {
    /**
     * How often a PE that probes in vain asks for failures. MPI_Iprobe from any source does not report them in Open MPI
     * 5.0.7; asking takes microseconds, detection milliseconds.
     */
    private static final long LOOK_INTERVAL_NANOS = 1_000_000;

    /** Far longer than any detection that was measured: 10 to 140 ms. */
    private static final long DETECTION_NANOS = 3_000_000_000L;

    private final MpiComm mpi;
    private final RankMap ranks;
    private final Ulfm ulfm;
    /** Communicators of MPI for the same PEs that the program was given, for its own calls. */
    private final List<MpiComm> givenOut = new ArrayList<>();
    private long lastLookNanos = System.nanoTime();
    private boolean revokedHere;
    /** In the whole world, also among other ranks. */
    private int failuresSeen;
    private boolean simulatedFailure;

    MpiFailures(MpiComm mpi, RankMap ranks, Ulfm ulfm) {
        this.mpi = mpi;
        this.ranks = ranks;
        this.ulfm = ulfm;
    }

    /**
     * MPI says what fails, except for its collective calls on one PE, which need no message, and for failures that are
     * simulated.
     */
    void requireUsableHere(String operation) {
        if (hasSimulatedFailure()) {
            throw new ProcessFailedException(operation, failedRanks());
        }
        if (revokedHere) {
            throw new CommunicatorRevokedException(operation);
        }
    }

    /** Asked for in each call: so it looks only when further ranks have failed. */
    boolean hasSimulatedFailure() {
        if (ulfm.simulatedFailures() > failuresSeen) {
            failuresSeen = ulfm.simulatedFailures();
            simulatedFailure = !failedNow().isEmpty();
        }
        return simulatedFailure;
    }

    /** Throws when somebody is known to have failed; called after probes in vain, very often. */
    void requireNobodyFailed(String operation) {
        long now = System.nanoTime();
        if (now - lastLookNanos < LOOK_INTERVAL_NANOS) {
            return;
        }
        lastLookNanos = now;
        SortedSet<OriginalRank> failed = failedRanks();
        if (!failed.isEmpty()) {
            throw new ProcessFailedException(operation, failed);
        }
    }

    /**
     * Open MPI 6.0.0rc2 was seen to return from an MPI_Allgather without an error that one of the ranks had never
     * entered, and that a revocation had ended.
     */
    void requireNotInterrupted(String operation) {
        if (ulfm.survivesFailures() && isRevoked()) {
            throw new CommunicatorRevokedException(operation);
        }
    }

    boolean isRevoked() {
        requireNotFreed("isRevoked");
        try {
            return revokedHere || ulfm.isRevoked(mpi);
        } catch (MpiException e) {
            throw new Mpi.CallException("isRevoked", e);
        }
    }

    SortedSet<OriginalRank> failedRanks() {
        requireNotFreed("failedRanks");
        return failedNow();
    }

    private SortedSet<OriginalRank> failedNow() {
        SortedSet<OriginalRank> failed = new TreeSet<>();
        try {
            ulfm.failedRanks(mpi, ranks)
                    .forEach((int currentRank) -> failed.add(OriginalRank.of(ranks.originalRankOf(currentRank))));
        } catch (MpiException e) {
            throw new Mpi.CallException("failedRanks", e);
        }
        return failed;
    }

    /** One that is closed but not freed can still be asked; MPI would use the handle of a freed one. */
    private void requireNotFreed(String operation) {
        if (mpi.isFreed()) {
            throw new IllegalStateException(operation + " on a closed communicator");
        }
    }

    /** Whether nothing of an interrupted operation can still be under way. */
    boolean isQuiet() {
        return !isRevoked() && failedRanks().isEmpty();
    }

    /** Revokes it, with what the program was given for its own calls. */
    void revoke(Throwable reason) {
        if (revokedHere) {
            return;
        }
        try {
            ulfm.revoke(mpi, ranks, reason);
            for (MpiComm given : givenOut()) {
                ulfm.revoke(given, ranks, reason);
            }
            revokedHere = true;
        } catch (MpiException e) {
            throw meaning("revoke", e);
        }
    }

    /** The program has got a communicator of MPI. */
    void gaveOut(MpiComm made) {
        givenOut.add(made);
    }

    /** What the program was given and has not freed. */
    private List<MpiComm> givenOut() {
        givenOut.removeIf(MpiComm::isFreed);
        return givenOut;
    }

    /** Makes PEs fail. */
    void fail(IntSet currentRanks) {
        requireRanks(currentRanks, ranks);
        try {
            ulfm.fail(mpi, ranks, currentRanks);
        } catch (MpiException e) {
            throw meaning("fail", e);
        }
    }

    static void requireRanks(IntSet currentRanks, RankMap ranks) {
        currentRanks.forEach((int rank) -> MessageArguments.checkRank("currentRanks", rank, ranks.size()));
    }

    /** What an error that MPI returned means. */
    RuntimeException meaning(String operation, MpiException error) {
        return switch (error.meaning()) {
            case PROCESS_FAILED -> new ProcessFailedException(operation, failedRanks());
            case REVOKED -> new CommunicatorRevokedException(operation);
            case OTHER -> failureOr(operation, new Mpi.CallException(operation, error));
        };
    }

    /**
     * Open MPI 5.0.7 may report a failure as MPI_ERR_OTHER, and to a PE that has not noticed yet: seen of MPI_Comm_dup
     * and MPI_Test. Told apart from other errors by waiting for the detector, whose answer takes some ten milliseconds.
     */
    private RuntimeException failureOr(String operation, Mpi.CallException other) {
        return failureSeen(operation).<RuntimeException>map(seen -> seen).orElse(other);
    }

    /** See {@link org.restorej.comm.Communicator#failureBehind}. */
    Optional<CommunicationFailedException> behind(Throwable thrown) {
        boolean isOfMpi = ProgramRun.causes(thrown).anyMatch(mpi::isErrorOfMpi);
        if (!isOfMpi) {
            return Optional.empty();
        }
        Optional<CommunicationFailedException> failure = failureSeen("a call of MPI");
        failure.ifPresent(seen -> seen.initCause(thrown));
        return failure;
    }

    /**
     * The failure or revocation that a call on a communicator of the same PEs must have met. None where failures are
     * simulated: MPI knows nothing of them, so an error of it is another one.
     */
    private Optional<CommunicationFailedException> failureSeen(String operation) {
        long deadline = System.nanoTime() + DETECTION_NANOS;
        while (ulfm.survivesFailures() && System.nanoTime() < deadline) {
            if (isRevoked()) {
                return Optional.of(new CommunicatorRevokedException(operation));
            }
            SortedSet<OriginalRank> failed = failedRanks();
            if (!failed.isEmpty()) {
                return Optional.of(new ProcessFailedException(operation, failed));
            }
            progress();
            LockSupport.parkNanos(LOOK_INTERVAL_NANOS);
        }
        return Optional.empty();
    }

    /** MPI takes notice of a failure only in calls that communicate. */
    private void progress() {
        try {
            mpi.probe(MpiComm.ANY_SOURCE, MpiComm.ANY_TAG);
        } catch (MpiException noticed) {
            // What it means is asked for by other calls.
        }
    }
}
