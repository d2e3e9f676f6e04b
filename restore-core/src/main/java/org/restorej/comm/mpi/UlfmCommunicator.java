package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import mpi.MPIException;
import org.restorej.comm.Agreement;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.RankMap;
import org.restorej.comm.Request;

/**
 * On Open MPI with ULFM: processes really die, MPI notices and says so.
 *
 * <p>
 * After {@link #revoke}, every pending request of every PE ends with an error, so that {@link Request#cancel} returns
 * and its memory is free; without it a send to a PE that is alive but has given up may never end. So: revoke first,
 * then cancel.
 *
 * <p>
 * Open MPI 5.0.7 can, rarely, not return from {@link #shrink}; its components {@code coll/han} and {@code coll/cuda}
 * lose errors, and must be switched off ({@code --mca coll ^han,cuda}, as {@code bin/mpirun-java --ulfm} does).
 */
final class UlfmCommunicator extends OpenMpiCommunicator {
    /**
     * How often a PE that probes in vain asks for failures. MPI_Iprobe from any source does not report them in Open MPI
     * 5.0.7; asking takes microseconds, detection milliseconds.
     */
    private static final long LOOK_INTERVAL_NANOS = 1_000_000;

    /** Far longer than any detection that was measured: 10 to 140 ms. */
    private static final long DETECTION_NANOS = 3_000_000_000L;

    private final Ulfm ulfm;
    private final boolean concurrent;
    private final UlfmIntracomm intracomm;
    private long lastLookNanos = System.nanoTime();
    private boolean revokedHere;

    /**
     * Takes over an MPI communicator.
     *
     * @param concurrent whether MPI was initialised for several threads at once
     */
    UlfmCommunicator(UlfmIntracomm intracomm, RankMap ranks, Ulfm ulfm, boolean concurrent) throws MPIException {
        super(intracomm, ranks);
        this.intracomm = intracomm;
        this.ulfm = ulfm;
        this.concurrent = concurrent;
    }

    /** MPI says what fails, except for its collective calls on one PE, which need no message. */
    @Override
    void requirePeer(String operation, int peer) {
        requireAll(operation);
    }

    @Override
    void requireAll(String operation) {
        requireOpen(operation);
        if (revokedHere) {
            throw new CommunicatorRevokedException(operation);
        }
    }

    @Override
    void requireNobodyDead(String operation) {
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

    @Override
    void awaitRelease() {
        // MPI ends the requests of a revoked communicator by itself.
    }

    @Override
    boolean isQuiet() {
        return !isRevoked() && failedRanks().isEmpty();
    }

    @Override
    RuntimeException failure(String operation, MPIException error) {
        return switch (FailureMeaning.of(error.getMessage())) {
            case PROCESS_FAILED -> new ProcessFailedException(operation, failedRanks());
            case REVOKED -> new CommunicatorRevokedException(operation);
            case OTHER -> new MpiCallException(operation, error);
        };
    }

    private RuntimeException failure(String operation, Ulfm.UlfmException error) {
        return switch (FailureMeaning.of(error.getMessage())) {
            case PROCESS_FAILED -> new ProcessFailedException(operation, failedRanks());
            case REVOKED -> new CommunicatorRevokedException(operation);
            case OTHER -> new MpiCallException(operation, error.code(), error.text());
        };
    }

    @Override
    public Agreement agree(int flags) {
        requireOpen("agree");
        int[] agreed = {flags};
        try {
            ulfm.agree(intracomm.handle(), agreed);
            return new Agreement(agreed[0], false);
        } catch (Ulfm.UlfmException e) {
            if (FailureMeaning.of(e.getMessage()) == FailureMeaning.PROCESS_FAILED) {
                // Never acknowledged here, a failure is reported to all PEs by every agreement after it.
                return new Agreement(agreed[0], true);
            }
            throw failure("agree", e);
        }
    }

    @Override
    public void revoke() {
        requireOpen("revoke");
        try {
            ulfm.revoke(intracomm.handle());
            revokedHere = true;
        } catch (Ulfm.UlfmException e) {
            throw failure("revoke", e);
        }
    }

    @Override
    public boolean isRevoked() {
        requireOpen("isRevoked");
        try {
            return ulfm.isRevoked(intracomm.handle());
        } catch (Ulfm.UlfmException e) {
            throw new MpiCallException("isRevoked", e.code(), e.text());
        }
    }

    @Override
    public SortedSet<OriginalRank> failedRanks() {
        requireOpen("failedRanks");
        SortedSet<OriginalRank> failed = new TreeSet<>();
        try {
            ulfm.failedRanks(intracomm.handle()).forEach(
                    (int currentRank) -> failed.add(OriginalRank.of(ranks().originalRankOf(currentRank))));
        } catch (Ulfm.UlfmException e) {
            throw new MpiCallException("failedRanks", e.code(), e.text());
        }
        return failed;
    }

    @Override
    public Communicator shrink() {
        requireOpen("shrink");
        try {
            long fresh = ulfm.shrink(intracomm.handle());
            IntSortedSet gone = new IntAVLTreeSet();
            for (int currentRank = 0; currentRank < size(); currentRank++) {
                gone.add(currentRank);
            }
            gone.removeAll(ulfm.ranksIn(fresh, intracomm.handle()));
            return new UlfmCommunicator(new UlfmIntracomm(fresh), ranks().without(gone), ulfm, concurrent);
        } catch (Ulfm.UlfmException e) {
            throw failure("shrink", e);
        } catch (MPIException e) {
            throw failure("shrink", e);
        }
    }

    @Override
    public Communicator duplicate() {
        requireOpen("duplicate");
        try {
            return new UlfmCommunicator(intracomm.duplicate(), ranks(), ulfm, concurrent);
        } catch (MPIException e) {
            throw failureOfDuplicate(e);
        }
    }

    /**
     * Open MPI 5.0.7 may report a death during MPI_Comm_dup as MPI_ERR_OTHER, and to a PE that has not noticed yet. Told
     * apart from other errors by waiting for the detector, whose answer takes some ten milliseconds.
     */
    private RuntimeException failureOfDuplicate(MPIException error) {
        RuntimeException meant = failure("duplicate", error);
        long deadline = System.nanoTime() + DETECTION_NANOS;
        while (meant instanceof MpiCallException && System.nanoTime() < deadline) {
            if (isRevoked()) {
                return new CommunicatorRevokedException("duplicate");
            }
            SortedSet<OriginalRank> failed = failedRanks();
            if (!failed.isEmpty()) {
                return new ProcessFailedException("duplicate", failed);
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NANOS);
        }
        return meant;
    }

    @Override
    public boolean allowsConcurrentUse() {
        return concurrent;
    }

    @Override
    public boolean survivesFailures() {
        return true;
    }

    /** {@inheritDoc} The processes are really killed, with SIGKILL, each by itself. */
    @Override
    public void fail(IntSet currentRanks) {
        requireOpen("fail");
        checkRanksToEnd(currentRanks);
        if (currentRanks.contains(rank())) {
            ulfm.kill(ProcessHandle.current().pid());
            while (true) {
                LockSupport.park(this);
            }
        }
    }
}
