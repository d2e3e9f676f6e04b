package org.restorej.comm.local;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.program.Background;
import org.restorej.comm.Communicator;
import org.restorej.comm.collective.CollectiveCommunicator;
import org.restorej.comm.Communicator.Envelope;
import org.restorej.comm.FailureSimulation;
import org.restorej.internal.program.GroupCommunicators;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.settlement.Settlement;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** One PE's view of a communicator of a {@link LocalCluster}. */
final class LocalCommunicator extends CollectiveCommunicator implements FailureSimulation {
    /**
     * Standard sends up to this size may be copied and complete at once: copying 8 KiB takes a fraction of a
     * microsecond, less than a sender would wait for its receiver.
     */
    private static final int SHORT_MESSAGE_BYTES = 8 << 10;

    /** Another thread, to find out whether a segment is confined to one. */
    private static final Thread ANOTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

    private final Pe pe;
    private final Context context;
    private final int rank;
    private final FailureView failures;
    private CollectiveRound nextCollective;
    private SurvivorRound nextSurvivorRound;
    private boolean closed;

    LocalCommunicator(Pe pe, Context context, int rank) {
        this.pe = pe;
        this.context = context;
        this.rank = rank;
        failures = new FailureView(pe.detector(), context);
        Context.Rounds rounds = context.begin(rank);
        nextCollective = rounds.collective();
        nextSurvivorRound = rounds.survivors();
    }

    Pe pe() {
        return pe;
    }

    Context context() {
        return context;
    }

    FailureView failures() {
        return failures;
    }

    Mailbox ownMailbox() {
        return context.mailbox(rank);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return context.size();
    }

    @Override
    public RankMap ranks() {
        return context.ranks();
    }

    @Override
    public OriginalRank originalRank() {
        return pe.originalRank();
    }

    @Override
    public Request iSend(MemorySegment message, int destination, int tag) {
        return iSend(Operation.SEND, message, destination, tag);
    }

    @Override
    public Request iSsend(MemorySegment message, int destination, int tag) {
        return iSend(Operation.SEND_SYNCHRONOUS, message, destination, tag);
    }

    private Request iSend(Operation operation, MemorySegment message, int destination, int tag) {
        checkOpen();
        MessageArguments.checkSend(message, destination, tag, size());
        return pe.perform(operation, operation, () -> {
            FailureView.throwIfNotNull(failures.withPeer(destination, operation));
            boolean synchronous = operation == Operation.SEND_SYNCHRONOUS;
            boolean copies = !message.isAccessibleBy(ANOTHER_THREAD) || (!synchronous
                    && message.byteSize() <= SHORT_MESSAGE_BYTES && context.run().network().buffersShortSend());
            MemorySegment bytes = copies
                    ? MemorySegment.ofArray(message.toArray(ValueLayout.JAVA_BYTE))
                    : message;
            Message sent = context.mailbox(destination).deliver(pe, rank, tag, bytes, copies);
            return new SendRequest(this, sent, destination, synchronous);
        });
    }

    @Override
    public Request iReceive(MemorySegment buffer, int source, int tag) {
        checkOpen();
        MessageArguments.checkReceive(buffer, source, tag, size());
        ReceiveRequest receive = new ReceiveRequest(this, buffer, source, tag);
        return pe.perform(Operation.RECEIVE, receive, () -> {
            FailureView.throwIfNotNull(failures.withRevocation(receive));
            ownMailbox().post(receive);
            return receive;
        });
    }

    @Override
    public @Nullable Envelope iProbe(int tag) {
        checkOpen();
        MessageArguments.checkTag(tag);
        Background.progress();
        return pe.<@Nullable Envelope>perform(Operation.PROBE, "probe with tag " + tag, () -> {
            FailureView.throwIfNotNull(failures.withGroup(Operation.PROBE));
            Envelope envelope = ownMailbox().probe(tag);
            if (envelope == null) {
                pe.pollInVain();
            }
            return envelope;
        });
    }

    @Override
    public Request iBarrier() {
        return enter(new CollectiveRound.Call(Operation.BARRIER, "", 0), null);
    }

    @Override
    public void allGather(MemorySegment mine, MemorySegment all) {
        try {
            MessageArguments.checkAllGather(mine, all, size());
            long bytes = mine.byteSize();
            CollectiveRound round = nextCollective;
            enter(new CollectiveRound.Call(Operation.ALL_GATHER, "bytes", bytes),
                    MemorySegment.ofArray(mine.toArray(ValueLayout.JAVA_BYTE))).awaitWithinCall();
            for (int source = 0; source < size(); source++) {
                MemorySegment.copy((MemorySegment) round.contribution(source), 0, all, source * bytes, bytes);
            }
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    protected void combine(Object values, Reduction reduction, String elements) {
        CollectiveRound round = nextCollective;
        enterReduction(values, reduction, elements).awaitWithinCall();
        round.copyReduced(reduction, values);
    }

    @Override
    protected Request iCombine(Object values, Reduction reduction, String elements) {
        CollectiveRound round = nextCollective;
        return withResult(enterReduction(values, reduction, elements), () -> round.copyReduced(reduction, values));
    }

    private CollectiveRequest enterReduction(Object values, Reduction reduction, String elements) {
        return enter(
                new CollectiveRound.Call(Operation.ALL_REDUCE, elements + ", " + reduction, Array.getLength(values)),
                CollectiveRound.copyOf(values));
    }

    @Override
    public Communicator duplicate() {
        CollectiveRound round = nextCollective;
        enter(new CollectiveRound.Call(Operation.DUPLICATE, "", 0), null).awaitWithinCall();
        return new LocalCommunicator(pe, round.duplicateOf(context), rank);
    }

    /** Duplicates this communicator for an attempt of a program. Called by all PEs. */
    LocalCommunicator beginAttempt() {
        CollectiveRound round = nextCollective;
        enter(new CollectiveRound.Call(Operation.DUPLICATE, "of a program", 0), null).await();
        return new LocalCommunicator(pe, round.attemptOf(context), rank);
    }

    /** The attempt of the program to which this communicator was given. */
    AttemptState attempt() {
        return Objects.requireNonNull(context.attempt());
    }

    @Override
    public Optional<Communicator> split(int color) {
        CollectiveRound round = nextCollective;
        enter(new CollectiveRound.Call(Operation.SPLIT, "", 0), color).await();
        if (color < 0) {
            barrier();
            return Optional.empty();
        }
        Context group = round.groupOf(context, color);
        LocalCommunicator made = new LocalCommunicator(pe, group,
                group.ranks().currentRankOf(pe.originalRank().value()));
        GroupCommunicators.confirm(this, made);
        return Optional.of(made);
    }

    private CollectiveRequest enter(CollectiveRound.Call call, @Nullable Object contribution) {
        checkOpen();
        Background.progress();
        CollectiveRound round = nextCollective;
        CollectiveRequest request = new CollectiveRequest(this, round, call.operation());
        return pe.perform(call.operation(), request, () -> {
            FailureView.throwIfNotNull(failures.withGroup(request));
            nextCollective = round.next();
            if (round.enter(rank, call, contribution)) {
                context.signalMembers();
            }
            return request;
        });
    }

    @Override
    public PendingAgreement iAgree(int flags) {
        return new LocalAgreement(pe, enterRound(Operation.AGREE, flags));
    }

    @Override
    public LocalCommunicator shrink() {
        SurvivorRound round = enterRound(Operation.SHRINK, -1);
        pe.await(round, round::tryDecide);
        Context shrunk = round.shrunk();
        for (int member = 0; member < size(); member++) {
            int originalRank = ranks().originalRankOf(member);
            // A PE whose program has returned is missing, too, but has not failed.
            if (shrunk.ranks().currentRankOf(originalRank) < 0 && context.member(member).hasFailed()) {
                pe.detector().learnFailure(originalRank);
            }
        }
        LocalCommunicator survivors = new LocalCommunicator(pe, shrunk,
                shrunk.ranks().currentRankOf(pe.originalRank().value()));
        GroupCommunicators.succeeds(survivors, this);
        NativeMemory.freeRetired(originalRank -> ranks().currentRankOf(originalRank) >= 0);
        return survivors;
    }

    private SurvivorRound enterRound(Operation operation, int flags) {
        checkOpen();
        SurvivorRound round = nextSurvivorRound;
        pe.perform(operation, round, () -> {
            nextSurvivorRound = round.next();
            round.enter(rank, operation, flags);
            return round.tryDecide();
        });
        return round;
    }

    @Override
    public void revoke() {
        checkOpen();
        context.revokeBy(pe, rank);
    }

    @Override
    public boolean isRevoked() {
        return pe.perform(Operation.IS_REVOKED, Operation.IS_REVOKED, () -> {
            boolean revoked = pe.detector().isRevoked(context);
            if (!revoked) {
                pe.pollInVain();
            }
            return revoked;
        });
    }

    @Override
    public SortedSet<OriginalRank> failedRanks() {
        return pe.perform(Operation.FAILED_RANKS, Operation.FAILED_RANKS, () -> {
            pe.pollInVain();
            return failures.knownFailedMembers();
        });
    }

    @Override
    public boolean survivesFailures() {
        return true;
    }

    @Override
    public void fail(int... currentRanks) {
        checkOpen();
        boolean fails = false;
        for (int member : currentRanks) {
            MessageArguments.checkRank("currentRanks", member, size());
            fails |= member == rank;
        }
        boolean failsHere = fails;
        pe.perform(Operation.FAIL, Operation.FAIL, () -> {
            if (failsHere) {
                throw pe.fail();
            }
            return rank;
        });
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            context.closeBy(rank);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the communicator is closed");
        }
    }
}
