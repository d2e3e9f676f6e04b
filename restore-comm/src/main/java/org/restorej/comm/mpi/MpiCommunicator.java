package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.collective.CollectiveCommunicator;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.program.Background;
import org.restorej.internal.settlement.Settlement;

/**
 * A communicator on MPI, through foreign functions or bindings. With ULFM failures are real, and MPI reports them;
 * without ULFM they are simulated.
 *
 * <p>
 * Under ULFM, after {@link #revoke}, every pending request of every PE ends with an error, so that
 * {@link Request#cancel} returns and its memory can be freed. Without a revocation, a send to a PE that has stopped
 * because of the failure may never end. So revoke first, then cancel.
 *
 * <p>
 * In rare cases Open MPI 5.0.7 does not return from {@link #shrink}; {@link WaitLimit} can end such a process. Its
 * components {@code coll/han} and {@code coll/cuda} lose errors, and must be disabled ({@code --mca coll ^han,cuda},
 * as {@code bin/mpirun-java --ulfm} does).
 *
 * <p>
 * A message allocates one small object; a probe without a message allocates none. Owns its MPI communicator.
 * Communicators that it creates belong to the same attempt of a program.
 */
final class MpiCommunicator extends CollectiveCommunicator implements FailureSimulation {
    /** The open communicators of this process whose failures are simulated. */
    private static final Set<MpiCommunicator> OPEN = ConcurrentHashMap.newKeySet();

    private final MpiComm mpi;
    private final RankMap ranks;
    private final Ulfm ulfm;
    private final WaitLimit waitLimit;
    private final @Nullable UlfmAttempt attempt;
    private final int rank;
    private final int size;
    private final MpiFailures failures;
    private final MpiPending pending = new MpiPending(this);
    private final MpiCollectives collectives;
    private final DerivedCommunicators derived;
    private boolean closed;

    /**
     * Takes over an MPI communicator, which must return errors.
     *
     * @param mpi whose ranks are the current ranks of {@code ranks}
     * @param waitLimit limits how long this process waits in a blocking call
     * @param attempt the attempt of a program to which this communicator belongs; null if none
     */
    MpiCommunicator(MpiComm mpi, RankMap ranks, Ulfm ulfm, WaitLimit waitLimit, @Nullable UlfmAttempt attempt) {
        this.mpi = mpi;
        this.ranks = ranks;
        this.ulfm = ulfm;
        this.waitLimit = waitLimit;
        this.attempt = attempt;
        this.rank = mpi.rank();
        this.size = mpi.size();
        this.failures = new MpiFailures(mpi, ranks, ulfm);
        this.collectives = new MpiCollectives(this, mpi);
        this.derived = new DerivedCommunicators(this, ulfm, waitLimit, attempt);
        if (size != ranks.size()) {
            throw new IllegalArgumentException(
                    "an MPI communicator of size " + size + " can't have the ranks " + ranks);
        }
        if (attempt != null) {
            attempt.opened(this);
        }
        if (!ulfm.survivesFailures()) {
            OPEN.add(this);
        }
    }

    MpiComm mpi() {
        return mpi;
    }

    /** The open communicators of this process that share these failures. */
    static Stream<MpiCommunicator> openOf(Ulfm failures) {
        return OPEN.stream().filter(each -> each.ulfm.equals(failures));
    }

    /** Throws on a process whose failure is simulated. */
    void requireSelfAlive() {
        ulfm.requireSelfAlive();
    }

    /** Records that this PE waits for others until the result is closed. */
    WaitLimit waits(String operation) {
        return waitLimit.begin(operation, ranks);
    }

    /** Throws if an operation must fail for a reason that this PE knows; MPI reports other reasons. */
    void requireUsable(String operation) {
        requireOpen(operation);
        failures.requireUsableHere(operation);
    }

    /** What MPI has not ended of this communicator. */
    MpiPending pending() {
        return pending;
    }

    DerivedCommunicators derived() {
        return derived;
    }

    MpiFailures failures() {
        return failures;
    }

    /** The exception for an error that MPI returned. */
    RuntimeException failure(String operation, MpiException error) {
        return failures.meaning(operation, error);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public RankMap ranks() {
        return ranks;
    }

    @Override
    public Request iSend(MemorySegment message, int destination, int tag) {
        MessageArguments.checkSend(message, destination, tag, size);
        return start(MpiRequest.Kind.SEND, message, destination, tag);
    }

    @Override
    public Request iSsend(MemorySegment message, int destination, int tag) {
        MessageArguments.checkSend(message, destination, tag, size);
        return start(MpiRequest.Kind.SYNCHRONOUS_SEND, message, destination, tag);
    }

    @Override
    public Request iReceive(MemorySegment buffer, int source, int tag) {
        MessageArguments.checkReceive(buffer, source, tag, size);
        return start(MpiRequest.Kind.RECEIVE, buffer, source, tag);
    }

    private Request start(MpiRequest.Kind kind, MemorySegment memory, int peer, int tag) {
        requireUsable(kind.operation());
        MpiRequest request = pending.request(kind, peer);
        try {
            switch (kind) {
                case SEND -> mpi.send(request, memory, peer, tag);
                case SYNCHRONOUS_SEND -> mpi.sendSynchronous(request, memory, peer, tag);
                default -> mpi.receive(request, memory, peer, tag);
            }
            return request;
        } catch (MpiException e) {
            throw failure(kind.operation(), e);
        } finally {
            request.forgetUnlessBegun();
        }
    }

    @Override
    public @Nullable Envelope iProbe(int tag) {
        MessageArguments.checkTag(tag);
        requireUsable("probe");
        try {
            MpiComm.Message message = mpi.probe(MpiComm.ANY_SOURCE, tag);
            if (message == null) {
                failures.requireNobodyFailed("probe");
                Background.progress();
                return null;
            }
            return new Envelope(message.source(), message.bytes());
        } catch (MpiException e) {
            throw failure("probe", e);
        }
    }

    @Override
    public Request iBarrier() {
        try {
            requireUsable("barrier");
            MpiRequest request = pending.request(MpiRequest.Kind.BARRIER, -1);
            try {
                return mpi.barrier(request);
            } finally {
                request.forgetUnlessBegun();
            }
        } catch (MpiException | RuntimeException | Error met) {
            throw left("barrier", met);
        }
    }

    @Override
    public void allGather(MemorySegment mine, MemorySegment all) {
        try {
            MessageArguments.checkAllGather(mine, all, size);
            collectives.allGather(mine, all);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("allGather", met);
        }
    }

    @Override
    protected Request iCombine(Object array, Reduction reduction, String elements) {
        return collectives.start(array, reduction, CollectiveCommunicator::withResult);
    }

    @Override
    protected void combine(Object array, Reduction reduction, String elements) {
        collectives.reduce(array, reduction);
    }

    @Override
    public long allReduce(long value, Reduction reduction) {
        try {
            MessageArguments.checkGiven("reduction", reduction);
            return collectives.reduce(value, reduction);
        } catch (RuntimeException | Error met) {
            throw left("allReduce", met);
        }
    }

    @Override
    protected double sum(double value) {
        return collectives.sum(value);
    }

    /**
     * Revokes after an exception in a collective call, so that no PE waits for this one, and throws it; never returns.
     */
    RuntimeException left(String operation, Throwable met) {
        throw Settlement.revoke(this, met instanceof MpiException error ? failure(operation, error) : met);
    }

    @Override
    public Optional<CommunicationFailedException> failureBehind(Throwable thrown) {
        return failures.behind(thrown);
    }

    @Override
    public Communicator duplicate() {
        return derived.duplicate();
    }

    @Override
    public Optional<Communicator> split(int color) {
        return derived.split(color);
    }

    @Override
    public MpiCommunicator shrink() {
        requireOpen("shrink");
        return derived.shrink();
    }

    @Override
    public PendingAgreement iAgree(int flags) {
        requireOpen("agree");
        return startAgreement(flags);
    }

    /** Starts an agreement, even on a closed communicator if its MPI communicator was not freed. */
    PendingAgreement startAgreement(int flags) {
        return pending.startAgreement(ulfm, flags);
    }

    @Override
    public void revoke() {
        revoke(new IllegalStateException("the program has revoked a communicator"));
    }

    @Override
    public void revoke(Throwable reason) {
        requireOpen("revoke");
        failures.revoke(reason);
    }

    @Override
    public boolean isRevoked() {
        requireOpen("isRevoked");
        return failures.isRevoked();
    }

    @Override
    public SortedSet<OriginalRank> failedRanks() {
        requireOpen("failedRanks");
        return failures.failedRanks();
    }

    /** Whether this PE knows of no revocation and no failed member. The communicator must be open. */
    boolean isQuiet() {
        requireOpen("isRevoked");
        return failures.isQuiet();
    }

    @Override
    public boolean survivesFailures() {
        return ulfm.survivesFailures();
    }

    /** The world of simulated failures; only if failures are simulated. */
    PlainMpi plain() {
        return (PlainMpi) ulfm;
    }

    /** See {@link Mpi#without}. */
    Communicator without(IntSet leaving) {
        try {
            return plain().without(mpi, ranks, leaving).communicator();
        } catch (MpiException e) {
            throw failure("without", e);
        }
    }

    /** {@inheritDoc} Under ULFM the processes are killed with SIGKILL. */
    @Override
    public void fail(int... currentRanks) {
        requireOpen("fail");
        failures.fail(new IntOpenHashSet(currentRanks));
    }

    /**
     * {@inheritDoc}
     *
     * <p>
     * After a failure the MPI communicator is not freed: MPI could reuse its context ID, and a message in flight could
     * be received on a new communicator.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        OPEN.remove(this);
        boolean agreed = pending.forgetAgreements();
        try {
            // After MPI_Finalize there is nothing to free, and an MPI call would end the process.
            if (!mpi.isFinalized() && failures.isQuiet() && agreed) {
                mpi.free();
                if (attempt != null) {
                    attempt.freed(this);
                }
            } else {
                pending.giveUpRequests();
                if (attempt != null) {
                    attempt.closed(this);
                }
            }
        } catch (MpiException e) {
            if (failure("close", e) instanceof Mpi.CallException error) {
                throw error;
            }
        }
    }

    void requireOpen(String operation) {
        requireSelfAlive();
        if (closed) {
            throw new IllegalStateException(operation + " on a closed communicator");
        }
    }
}
