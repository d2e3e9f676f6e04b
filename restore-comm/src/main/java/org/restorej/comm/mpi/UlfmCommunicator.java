package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.internal.program.GroupCommunicators;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.RankMap;
import org.restorej.comm.Request;
import org.restorej.internal.mpi.ElementType;
import org.restorej.internal.mpi.FailureMeaning;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.comm.Reduction;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.program.ProgramAbandonedError;

/**
 * On Open MPI with ULFM: processes really fail, MPI notices and says so.
 *
 * <p>
 * After {@link #revoke}, every pending request of every PE ends with an error, so that {@link Request#cancel} returns
 * and its memory is free; without it a send to a PE that is alive but has given up may never end. So: revoke first,
 * then cancel.
 *
 * <p>
 * Open MPI 5.0.7 can, rarely, not return from {@link #shrink}; {@link WaitLimit} bounds that, when told to. Its
 * components {@code coll/han} and {@code coll/cuda} lose errors, and must be switched off ({@code --mca coll
 * ^han,cuda}, as {@code bin/mpirun-java --ulfm} does).
 */
final class UlfmCommunicator extends MpiCommunicator {
    /**
     * How often a PE that probes in vain asks for failures. MPI_Iprobe from any source does not report them in Open MPI
     * 5.0.7; asking takes microseconds, detection milliseconds.
     */
    private static final long LOOK_INTERVAL_NANOS = 1_000_000;

    /** Far longer than any detection that was measured: 10 to 140 ms. */
    private static final long DETECTION_NANOS = 3_000_000_000L;

    private final Ulfm ulfm;
    private final WaitLimit waitLimit;
    private final @Nullable UlfmAttempt attempt;
    private long lastLookNanos = System.nanoTime();
    private boolean revokedHere;

    /**
     * Takes over an MPI communicator.
     *
     * @param waitLimit of this process
     */
    UlfmCommunicator(MpiComm mpi, RankMap ranks, Ulfm ulfm, WaitLimit waitLimit)
            throws MpiException {
        this(mpi, ranks, ulfm, waitLimit, null);
    }

    private UlfmCommunicator(MpiComm mpi, RankMap ranks, Ulfm ulfm, WaitLimit waitLimit,
            @Nullable UlfmAttempt attempt) throws MpiException {
        super(mpi, ranks);
        this.attempt = attempt;
        if (attempt != null) {
            attempt.opened(this);
        }
        this.ulfm = ulfm;
        this.waitLimit = waitLimit;
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
    void inVain(String operation) {
        // MPI itself notices failures.
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

    /** MPI ends it after a failure or a revocation. */
    @Override
    void gather(MemorySegment sent, MemorySegment received) throws MpiException {
        waitLimit.begin("allGather", ranks());
        try {
            mpi().allGather(sent, received);
        } finally {
            waitLimit.end();
        }
        requireNotInterrupted("allGather");
    }

    /**
     * Open MPI 6.0.0rc2 was seen to return from an MPI_Allgather without an error that one of the ranks had never
     * entered, and that a revocation had ended.
     */
    @Override
    void requireNotInterrupted(String operation) {
        if (isRevoked()) {
            throw new CommunicatorRevokedException(operation);
        }
    }

    /** MPI ends it after a failure or a revocation. */
    @Override
    void reduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction operation)
            throws MpiException {
        waitLimit.begin("allReduce", ranks());
        try {
            mpi().allReduce(sent, received, type, operation);
        } finally {
            waitLimit.end();
        }
        requireNotInterrupted("allReduce");
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
    RuntimeException failure(String operation, MpiException error) {
        return meaning(operation, error.meaning(), new Mpi.CallException(operation, error));
    }

    private RuntimeException meaning(String operation, FailureMeaning meaning, Mpi.CallException other) {
        return switch (meaning) {
            case PROCESS_FAILED -> new ProcessFailedException(operation, failedRanks());
            case REVOKED -> new CommunicatorRevokedException(operation);
            case OTHER -> failureOr(operation, other);
        };
    }

    /**
     * Open MPI 5.0.7 may report a death as MPI_ERR_OTHER, and to a PE that has not noticed yet: seen of MPI_Comm_dup
     * and MPI_Test. Told apart from other errors by waiting for the detector, whose answer takes some ten milliseconds.
     */
    private RuntimeException failureOr(String operation, Mpi.CallException other) {
        return failureSeen(operation).<RuntimeException>map(seen -> seen).orElse(other);
    }

    @Override
    Optional<CommunicationFailedException> failureSeen(String operation) {
        long deadline = System.nanoTime() + DETECTION_NANOS;
        while (System.nanoTime() < deadline) {
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

    /** MPI takes notice of a death only in calls that communicate. */
    private void progress() {
        try {
            mpi().probe(MpiComm.ANY_SOURCE, MpiComm.ANY_TAG);
        } catch (MpiException noticed) {
            // What it means is asked for by other calls.
        }
    }

    @Override
    public PendingAgreement iAgree(int flags) {
        requireOpen("agree");
        return iAgreeInAnyCase(flags);
    }

    /** Also when it is closed, as long as it is there. */
    PendingAgreement iAgreeInAnyCase(int flags) {
        try {
            return new UlfmAgreement(ulfm.startAgreement(mpi(), flags), waitLimit, ranks());
        } catch (MpiException e) {
            throw new Mpi.CallException("agree", e);
        }
    }

    @Override
    public void revoke() {
        requireOpen("revoke");
        revokeInAnyCase();
    }

    @Override
    public boolean isRevoked() {
        requireOpen("isRevoked");
        try {
            return ulfm.isRevoked(mpi());
        } catch (MpiException e) {
            throw new Mpi.CallException("isRevoked", e);
        }
    }

    @Override
    public SortedSet<OriginalRank> failedRanks() {
        requireOpen("failedRanks");
        SortedSet<OriginalRank> failed = new TreeSet<>();
        try {
            ulfm.failedRanks(mpi()).forEach(
                    (int currentRank) -> failed.add(OriginalRank.of(ranks().originalRankOf(currentRank))));
        } catch (MpiException e) {
            throw new Mpi.CallException("failedRanks", e);
        }
        return failed;
    }

    @Override
    public UlfmCommunicator shrink() {
        requireOpen("shrink");
        if (attempt != null && (agree(UlfmAttempt.SHRINKS).flags() & UlfmAttempt.SHRINKS) == 0) {
            throw new ProgramAbandonedError();
        }
        try {
            waitLimit.begin("shrink", ranks());
            MpiComm fresh = ulfm.shrink(mpi());
            UlfmCommunicator survivors = new UlfmCommunicator(fresh, ranks().without(ulfm.missingRanks(mpi(), fresh)),
                    ulfm, waitLimit, attempt);
            if (attempt != null) {
                attempt.replaced(this, survivors);
            }
            GroupCommunicators.succeeds(survivors, this);
            return survivors;
        } catch (MpiException e) {
            throw failure("shrink", e);
        } finally {
            waitLimit.end();
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>
     * Returns when all PEs have it: Open MPI 6.0.0rc2 crashes when a revocation of the new communicator comes to one
     * that is still in MPI_Comm_dup.
     */
    @Override
    public Communicator duplicate() {
        Communicator made;
        try {
            made = new UlfmCommunicator(duplicateMpi(), ranks(), ulfm, waitLimit, attempt);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("duplicate", met);
        }
        GroupCommunicators.confirm(this, made);
        return made;
    }

    @Override
    MpiComm duplicateMpi() {
        requireOpen("duplicate");
        try {
            waitLimit.begin("duplicate", ranks());
            return mpi().duplicate();
        } catch (MpiException e) {
            throw failure("duplicate", e);
        } finally {
            waitLimit.end();
        }
    }

    @Override
    MpiCommunicator splitOff(int color, RankMap group) throws MpiException {
        waitLimit.begin("split", ranks());
        try {
            UlfmCommunicator made = new UlfmCommunicator(Objects.requireNonNull(mpi().split(color)), group, ulfm,
                    waitLimit, attempt);
            if (attempt != null) {
                attempt.usedByProgram(made);
            }
            return made;
        } finally {
            waitLimit.end();
        }
    }

    @Override
    void splitOffNothing() throws MpiException {
        waitLimit.begin("split", ranks());
        try {
            mpi().split(MpiComm.NO_COLOR);
        } finally {
            waitLimit.end();
        }
    }

    /** A duplicate for an attempt of a program. Called by all PEs. */
    UlfmCommunicator beginAttempt() {
        UlfmAttempt fresh = new UlfmAttempt();
        try {
            UlfmCommunicator given = new UlfmCommunicator(mpi().duplicate(), ranks(), ulfm, waitLimit, fresh);
            fresh.usedByProgram(given);
            return given;
        } catch (MpiException e) {
            throw failure("duplicate", e);
        }
    }

    @Nullable
    UlfmAttempt attempt() {
        return attempt;
    }

    /** Also when it is closed, as long as it is there; with what the program was given for its own calls. */
    void revokeInAnyCase() {
        try {
            ulfm.revoke(mpi());
            for (MpiComm given : givenOut()) {
                ulfm.revoke(given);
            }
            revokedHere = true;
        } catch (MpiException e) {
            throw failure("revoke", e);
        }
    }

    @Override
    void freed() {
        if (attempt != null) {
            attempt.freed(this);
        }
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
