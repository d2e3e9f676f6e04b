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

/** The known failures of a communicator on MPI, and the meaning of the errors of its calls. */
final class MpiFailures {
    /**
     * Interval between queries for failures while a PE probes without success. MPI_Iprobe from any source does not
     * report failures in Open MPI 5.0.7; a query takes microseconds, detection milliseconds.
     */
    private static final long LOOK_INTERVAL_NANOS = 1_000_000;

    /** Much longer than any detection that was measured: 10 to 140 ms. */
    private static final long DETECTION_NANOS = 3_000_000_000L;

    private final MpiComm mpi;
    private final RankMap ranks;
    private final Ulfm ulfm;
    /** MPI communicators of the same PEs that the program was given for its own calls. */
    private final List<MpiComm> givenOut = new ArrayList<>();
    private long lastLookNanos = System.nanoTime();
    private boolean revokedHere;
    /** Number of failures in the whole world, including other ranks, at the last check. */
    private int failuresSeen;
    private boolean simulatedFailure;

    MpiFailures(MpiComm mpi, RankMap ranks, Ulfm ulfm) {
        this.mpi = mpi;
        this.ranks = ranks;
        this.ulfm = ulfm;
    }

    /**
     * Throws if an operation must fail although MPI doesn't report an error: after a simulated failure, and in
     * collective calls on a revoked communicator of one PE, which send nothing.
     */
    void requireUsableHere(String operation) {
        if (hasSimulatedFailure()) {
            throw new ProcessFailedException(operation, failedRanks());
        }
        if (revokedHere) {
            throw new CommunicatorRevokedException(operation);
        }
    }

    /**
     * Whether the failure of a member was simulated. Called in each operation, so it asks again only after further
     * failures.
     */
    boolean hasSimulatedFailure() {
        if (ulfm.simulatedFailures() > failuresSeen) {
            failuresSeen = ulfm.simulatedFailures();
            simulatedFailure = !failedNow().isEmpty();
        }
        return simulatedFailure;
    }

    /** Throws if a member is known to have failed. Called after each unsuccessful probe, so it asks once a millisecond. */
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
     * Throws if the communicator is revoked. Open MPI 6.0.0rc2 was seen to return without an error from an
     * MPI_Allgather that one rank had never entered and that a revocation had ended.
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

    /** A closed communicator that is not freed can still be queried; MPI would use the handle of a freed one. */
    private void requireNotFreed(String operation) {
        if (mpi.isFreed()) {
            throw new IllegalStateException(operation + " on a closed communicator");
        }
    }

    /** Whether no interrupted operation can still be in flight. */
    boolean isQuiet() {
        return !isRevoked() && failedRanks().isEmpty();
    }

    /** Revokes this communicator and those that the program was given for its own calls. */
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

    /** Records an MPI communicator that the program was given. */
    void gaveOut(MpiComm made) {
        givenOut.add(made);
    }

    /** The communicators that the program was given and has not freed. */
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

    /** The exception for an error that MPI returned. */
    RuntimeException meaning(String operation, MpiException error) {
        return switch (error.meaning()) {
            case PROCESS_FAILED -> new ProcessFailedException(operation, failedRanks());
            case REVOKED -> new CommunicatorRevokedException(operation);
            case OTHER -> failureOr(operation, new Mpi.CallException(operation, error));
        };
    }

    /**
     * Open MPI 5.0.7 may report a failure as MPI_ERR_OTHER, and to a PE that has not detected it yet: seen in
     * MPI_Comm_dup and MPI_Test. It is distinguished from other errors by waiting for the detector, which takes some
     * ten milliseconds.
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
     * The failure or revocation behind an error of a call on a communicator of the same PEs. Empty if failures are
     * simulated: MPI doesn't know them, so the error has another cause.
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

    /** MPI detects failures only in calls that communicate. */
    private void progress() {
        try {
            mpi.probe(MpiComm.ANY_SOURCE, MpiComm.ANY_TAG);
        } catch (MpiException noticed) {
            // The caller asks what has failed.
        }
    }
}
