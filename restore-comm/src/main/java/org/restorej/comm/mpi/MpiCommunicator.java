package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
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
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.program.Background;
import org.restorej.internal.program.GroupCommunicators;
import org.restorej.internal.program.ProgramAbandonedError;
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
    /** Requests whose memory MPI may still access, kept reachable even if the program drops them. */
    private final List<MpiRequest> inFlight = new ArrayList<>();
    private final List<MpiAgreement> agreements = new ArrayList<>();
    /** Memory for reductions of one value; never freed, since MPI may still use it after an exception. */
    private final MemorySegment one = allocate(Long.BYTES);
    private final MemorySegment reducedOne = allocate(Long.BYTES);
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

    /** Duplicates this communicator for an attempt of a program. Called by all PEs. */
    MpiCommunicator duplicateFor(UlfmAttempt fresh) {
        try {
            return new MpiCommunicator(mpi.duplicate(), ranks, ulfm, waitLimit, fresh);
        } catch (MpiException e) {
            throw failure("duplicate", e);
        }
    }

    /** Throws if an operation must fail for a reason that this PE knows; MPI reports other reasons. */
    void requireUsable(String operation) {
        requireOpen(operation);
        failures.requireUsableHere(operation);
    }

    /** Whether this process has pending requests other than receives. For communicators without failures. */
    boolean hasUnderWay() {
        agreements.removeIf(MpiAgreement::test);
        for (MpiRequest request : List.copyOf(inFlight)) {
            if (!request.isReceive()) {
                try {
                    request.test();
                } catch (CommunicationFailedException ended) {
                    // On a communicator that was revoked before.
                }
            }
        }
        return !agreements.isEmpty() || !inFlight.stream().allMatch(MpiRequest::isReceive);
    }

    /** Cancels all requests, because this process fails and its memory may be freed. */
    void cancelPending() {
        List.copyOf(inFlight).forEach(MpiRequest::cancel);
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
        MpiRequest request = remembered(kind, peer);
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

    /** Creates a request and adds it to the list, before it starts: afterwards there might be no memory for that. */
    private MpiRequest remembered(MpiRequest.Kind kind, int peer) {
        MpiRequest request = new MpiRequest(this, kind, peer, inFlight.size());
        inFlight.add(request);
        return request;
    }

    /** Removes a request from the list; the last one takes its place. Called once for each. */
    void released(MpiRequest request) {
        MpiRequest last = inFlight.removeLast();
        if (last != request) {
            inFlight.set(request.place(), last);
            last.moveTo(request.place());
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
            MpiRequest request = remembered(MpiRequest.Kind.BARRIER, -1);
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
            requireUsable("allGather");
            Background.progress();
            if (mine.byteSize() == 0) {
                barrier();
                return;
            }
            MemorySegment sent = allocate(mine.byteSize()).copyFrom(mine);
            MemorySegment received = allocate(all.byteSize());
            try (WaitLimit _ = waits("allGather")) {
                mpi.allGather(sent, received);
            }
            failures.requireNotInterrupted("allGather");
            all.copyFrom(received);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("allGather", met);
        }
    }

    @Override
    protected Request iCombine(Object array, Reduction reduction, String elements) {
        requireUsable("allReduce");
        MemorySegment values = segmentOf(array);
        if (values.byteSize() == 0) {
            return iBarrier();
        }
        MemorySegment sent = allocate(values.byteSize()).copyFrom(values);
        MemorySegment received = allocate(values.byteSize());
        MpiRequest request = remembered(MpiRequest.Kind.REDUCTION, -1);
        try {
            return withResult(mpi.startAllReduce(request, sent, received, typeOf(array), reduction),
                    () -> values.copyFrom(received));
        } catch (MpiException e) {
            throw failure("allReduce", e);
        } finally {
            request.forgetUnlessBegun();
        }
    }

    @Override
    protected void combine(Object array, Reduction reduction, String elements) {
        requireUsable("allReduce");
        Background.progress();
        MemorySegment values = segmentOf(array);
        if (values.byteSize() == 0) {
            barrier();
            return;
        }
        MemorySegment received = allocate(values.byteSize());
        reduce(allocate(values.byteSize()).copyFrom(values), received, typeOf(array), reduction);
        values.copyFrom(received);
    }

    /** Not freed explicitly, because MPI may still use it after an exception. */
    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    private static MemorySegment segmentOf(Object array) {
        return array instanceof long[] longs ? MemorySegment.ofArray(longs) : MemorySegment.ofArray((double[]) array);
    }

    private static MpiComm.ElementType typeOf(Object array) {
        return array instanceof long[] ? MpiComm.ElementType.LONG : MpiComm.ElementType.DOUBLE;
    }

    @Override
    public long allReduce(long value, Reduction reduction) {
        try {
            MessageArguments.checkGiven("reduction", reduction);
            one.set(ValueLayout.JAVA_LONG, 0, value);
            reduceOne(MpiComm.ElementType.LONG, reduction);
            return reducedOne.get(ValueLayout.JAVA_LONG, 0);
        } catch (RuntimeException | Error met) {
            throw left("allReduce", met);
        }
    }

    @Override
    protected double sum(double value) {
        one.set(ValueLayout.JAVA_DOUBLE, 0, value);
        reduceOne(MpiComm.ElementType.DOUBLE, Reduction.SUM);
        return reducedOne.get(ValueLayout.JAVA_DOUBLE, 0);
    }

    private void reduceOne(MpiComm.ElementType type, Reduction reduction) {
        requireUsable("allReduce");
        Background.progress();
        reduce(one, reducedOne, type, reduction);
    }

    /** Allocates nothing, because programs reduce one value in each iteration. */
    private void reduce(MemorySegment sent, MemorySegment received, MpiComm.ElementType type, Reduction reduction) {
        try (WaitLimit _ = waits("allReduce")) {
            mpi.allReduce(sent, received, type, reduction);
        } catch (MpiException e) {
            throw failure("allReduce", e);
        }
        failures.requireNotInterrupted("allReduce");
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

    private MpiCommunicator take(MpiComm made, RankMap itsRanks) {
        return new MpiCommunicator(made, itsRanks, ulfm, waitLimit, attempt);
    }

    /** MPI_Comm_dup blocks, so a barrier comes first: in it, background operations progress until all PEs arrive. */
    private MpiComm duplicated() throws MpiException {
        barrier();
        try (WaitLimit _ = waits("duplicate")) {
            return mpi.duplicate();
        }
    }

    /**
     * {@inheritDoc} Returns after all PEs have created the duplicate: Open MPI 6.0.0rc2 crashes when a revocation of
     * the new communicator reaches a PE that is still in MPI_Comm_dup.
     */
    @Override
    public Communicator duplicate() {
        Communicator made;
        try {
            made = take(duplicated(), ranks);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("duplicate", met);
        }
        GroupCommunicators.confirm(this, made);
        return made;
    }

    /**
     * Creates an MPI communicator of the same PEs for the program's own calls, which is revoked together with this one
     * if MPI can do that. Called by all PEs; blocks.
     */
    MpiComm giveOut() {
        MpiComm made;
        try {
            made = duplicated();
        } catch (MpiException e) {
            throw failure("duplicate", e);
        }
        failures.gaveOut(made);
        // All PEs must have created it before this one returns; see duplicate.
        barrier();
        return made;
    }

    @Override
    public Optional<Communicator> split(int color) {
        try {
            RankMap group = group(color);
            MpiComm groupMpi;
            try (WaitLimit _ = waits("split")) {
                groupMpi = mpi.split(group == null ? MpiComm.NO_COLOR : color);
            }
            if (group == null || groupMpi == null) {
                barrier();
                return Optional.empty();
            }
            MpiCommunicator made = take(groupMpi, group);
            if (attempt != null) {
                attempt.usedByProgram(made);
            }
            GroupCommunicators.confirm(this, made);
            return Optional.of(made);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("split", met);
        }
    }

    /** The ranks of the same color; null without a color. */
    private @Nullable RankMap group(int color) {
        int[] colors = new int[size];
        allGather(MemorySegment.ofArray(new int[]{color}), MemorySegment.ofArray(colors));
        return color < 0
                ? null
                : ranks.without(IntStream.range(0, size).filter(other -> colors[other] != color).toArray());
    }

    @Override
    public MpiCommunicator shrink() {
        requireOpen("shrink");
        if (attempt != null && (agree(UlfmAttempt.SHRINKS).flags() & UlfmAttempt.SHRINKS) == 0) {
            throw new ProgramAbandonedError();
        }
        if (ulfm.survivesFailures()) {
            MpiAgreement.endAll();
        }
        try {
            MpiComm fresh;
            try (WaitLimit _ = waits("shrink")) {
                fresh = ulfm.shrink(mpi, ranks);
            }
            MpiCommunicator survivors = take(fresh, ranks.without(ulfm.missingRanks(mpi, ranks, fresh).toIntArray()));
            if (attempt != null) {
                attempt.replaced(this, survivors);
            }
            GroupCommunicators.succeeds(survivors, this);
            NativeMemory.freeRetired(originalRank -> ranks.currentRankOf(originalRank) >= 0);
            return survivors;
        } catch (MpiException e) {
            throw failure("shrink", e);
        }
    }

    @Override
    public PendingAgreement iAgree(int flags) {
        requireOpen("agree");
        return startAgreement(flags);
    }

    /** Starts an agreement, even on a closed communicator if its MPI communicator was not freed. */
    PendingAgreement startAgreement(int flags) {
        agreements.removeIf(MpiAgreement::isOver);
        MpiAgreement agreement = new MpiAgreement(this);
        agreements.add(agreement);
        try {
            if (failures.hasSimulatedFailure()) {
                agreement.fail();
            } else {
                ulfm.startAgreement(mpi, agreement, flags);
            }
            return agreement;
        } catch (MpiException e) {
            throw new Mpi.CallException("agree", e);
        } finally {
            if (!agreement.hasBegun()) {
                agreements.removeLast();
                agreement.forget();
            }
        }
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
        agreements.forEach(MpiAgreement::forget);
        try {
            // After MPI_Finalize there is nothing to free, and an MPI call would end the process.
            if (!mpi.isFinalized() && failures.isQuiet() && agreements.stream().allMatch(MpiAgreement::isOver)) {
                mpi.free();
                if (attempt != null) {
                    attempt.freed(this);
                }
            } else {
                inFlight.forEach(MpiRequest::giveUp);
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
