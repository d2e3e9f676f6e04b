package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.program.Background;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.Envelope;
import org.restorej.comm.FailureSimulation;
import org.restorej.internal.program.GroupCommunicators;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.Settlement;
import org.restorej.internal.mpi.ElementType;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiMessage;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.program.Causes;
import org.restorej.internal.program.ResultRequest;

/**
 * A communicator on MPI, however it is called: messages and collective calls. How failures come about,
 * are noticed and got over is what the two subclasses differ in.
 *
 * <p>
 * A message allocates two or three small objects, a poll that finds nothing allocates none. Owns its MPI communicator.
 */
abstract sealed class MpiCommunicator implements Communicator, FailureSimulation
        permits SimulatedFailureCommunicator, UlfmCommunicator {
    private final MpiComm mpi;
    private final RankMap ranks;
    private final int rank;
    private final int size;
    /** Communicators of MPI for the same PEs that the program was given, for its own calls. */
    private final List<MpiComm> givenOut = new ArrayList<>();
    /** What MPI may still read or write, kept reachable even where the program forgets a request. */
    private final List<MpiRequest> inFlight = new ArrayList<>();
    private boolean closed;

    /**
     * Takes over an MPI communicator, which must return its errors.
     *
     * @param mpi whose ranks are the current ranks of {@code ranks}
     */
    MpiCommunicator(MpiComm mpi, RankMap ranks) throws MpiException {
        this.mpi = mpi;
        this.ranks = ranks;
        this.rank = mpi.rank();
        this.size = mpi.size();
        if (size != ranks.size()) {
            throw new IllegalArgumentException(
                    "an MPI communicator of size " + size + " can't have the ranks " + ranks);
        }
    }

    /** Throws what an operation between this PE and a peer must fail with already, as far as is known here. */
    abstract void requirePeer(String operation, int peer);

    /** Throws what an operation that needs all PEs must fail with already, as far as is known here. */
    abstract void requireAll(String operation);

    /** Throws when somebody is known to have failed; called after probes in vain, very often. */
    abstract void requireNobodyDead(String operation);

    /** Called when a request has been asked after in vain, very often. */
    abstract void inVain(String operation);

    /** What an error that MPI returned means. */
    abstract RuntimeException failure(String operation, MpiException error);

    /** Gathers bytes of all PEs; blocks, and throws what {@link #requireAll} does as soon as there is reason to. */
    abstract void gather(MemorySegment sent, MemorySegment received) throws MpiException;

    /** Reduces on all PEs, as {@link #gather} does. */
    abstract void reduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction operation)
            throws MpiException;

    /** Throws when MPI may have taken a collective call for complete that a revocation has ended. */
    abstract void requireNotInterrupted(String operation);

    /** Called while a request that was given up is waited for. */
    abstract void awaitRelease() throws MpiException;

    /** Whether it can be freed: nothing of an interrupted operation can still be under way. */
    abstract boolean isQuiet();

    @Override
    public final int rank() {
        return rank;
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public final RankMap ranks() {
        return ranks;
    }

    final MpiComm mpi() {
        return mpi;
    }

    @Override
    public final Request iSend(MemorySegment message, int destination, int tag) {
        MessageArguments.checkSend(message, destination, tag, size);
        requirePeer("send", destination);
        try {
            return started(MpiRequest.Kind.SEND, destination,
                    mpi.send(message, destination, tag));
        } catch (MpiException e) {
            throw failure("send", e);
        }
    }

    @Override
    public final Request iSsend(MemorySegment message, int destination, int tag) {
        MessageArguments.checkSend(message, destination, tag, size);
        requirePeer("synchronous send", destination);
        try {
            return started(MpiRequest.Kind.SYNCHRONOUS_SEND, destination,
                    mpi.sendSynchronous(message, destination, tag));
        } catch (MpiException e) {
            throw failure("synchronous send", e);
        }
    }

    @Override
    public final Request iReceive(MemorySegment buffer, int source, int tag) {
        MessageArguments.checkReceive(buffer, source, tag, size);
        requirePeer("receive", source);
        try {
            return started(MpiRequest.Kind.RECEIVE, source,
                    mpi.receive(buffer, source, tag));
        } catch (MpiException e) {
            throw failure("receive", e);
        }
    }

    private Request started(MpiRequest.Kind kind, int peer, MpiOperation pending) {
        MpiRequest request = new MpiRequest(this, kind, peer, pending, inFlight.size());
        inFlight.add(request);
        return request;
    }

    /** Takes a request off the list; the last one gets its place there. Once for each. */
    final void released(MpiRequest request) {
        MpiRequest last = inFlight.removeLast();
        if (last != request) {
            inFlight.set(request.place(), last);
            last.moveTo(request.place());
        }
    }

    @Override
    public final @Nullable Envelope probe(int tag) {
        MessageArguments.checkTag(tag);
        requireAll("probe");
        try {
            MpiMessage message = mpi.probe(MpiComm.ANY_SOURCE, tag);
            if (message == null) {
                requireNobodyDead("probe");
                Background.progress();
                return null;
            }
            return new Envelope(message.source(), message.bytes());
        } catch (MpiException e) {
            throw failure("probe", e);
        }
    }

    @Override
    public final Request iBarrier() {
        try {
            requireAll("barrier");
            return started(MpiRequest.Kind.BARRIER, -1, mpi.barrier());
        } catch (MpiException | RuntimeException | Error met) {
            throw left("barrier", met);
        }
    }

    @Override
    public final void allGather(MemorySegment mine, MemorySegment all) {
        try {
            MessageArguments.checkAllGather(mine, all, size);
            long bytes = mine.byteSize();
            if (all.byteSize() > MAX_MESSAGE_BYTES) {
                throw new IllegalArgumentException("all.byteSize() must be at most " + MAX_MESSAGE_BYTES
                        + ": all.byteSize()=" + all.byteSize());
            }
            requireAll("allGather");
            Background.progress();
            if (bytes == 0) {
                return;
            }
            // Through memory of its own: small, and so any kind of segment will do. Not freed by hand: after
            // an exception MPI may still use it.
            Arena arena = Arena.ofAuto();
            MemorySegment sent = arena.allocate(bytes);
            MemorySegment received = arena.allocate(all.byteSize());
            sent.copyFrom(mine);
            gather(sent, received);
            all.copyFrom(received);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("allGather", met);
        }
    }

    @Override
    public final Request iAllReduce(long[] values, Reduction reduction) {
        try {
            MessageArguments.checkAllReduce(values, reduction);
            requireAll("allReduce");
            // Not freed by hand: after an exception MPI may still use it.
            Arena arena = Arena.ofAuto();
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_LONG, values);
            MemorySegment received = arena.allocate(sent.byteSize(), Long.BYTES);
            return new ResultRequest(started(MpiRequest.Kind.REDUCTION, -1,
                    mpi.startAllReduce(sent, received, ElementType.LONG, reduction)),
                    () -> MemorySegment.ofArray(values).copyFrom(received));
        } catch (MpiException | RuntimeException | Error met) {
            throw left("allReduce", met);
        }
    }

    @Override
    public final void allReduce(long[] values, Reduction reduction) {
        allReduce(values, ElementType.LONG, reduction);
    }

    @Override
    public final void allReduce(double[] values, Reduction reduction) {
        Reduction.doubles(this, values, reduction, sum -> allReduce(sum, ElementType.DOUBLE, Reduction.SUM),
                keys -> allReduce(keys, reduction));
    }

    private void allReduce(@Nullable Object array, ElementType type, Reduction reduction) {
        try {
            MessageArguments.checkAllReduce(array, reduction);
            MemorySegment values = type == ElementType.LONG
                    ? MemorySegment.ofArray((long[]) array)
                    : MemorySegment.ofArray((double[]) array);
            requireAll("allReduce");
            Background.progress();
            if (values.byteSize() == 0) {
                return;
            }
            // Not freed by hand: after an exception MPI may still use it.
            Arena arena = Arena.ofAuto();
            MemorySegment sent = arena.allocate(values.byteSize(), Long.BYTES);
            MemorySegment received = arena.allocate(values.byteSize(), Long.BYTES);
            sent.copyFrom(values);
            reduce(sent, received, type, reduction);
            values.copyFrom(received);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("allReduce", met);
        }
    }

    /** Ends a collective call on this PE, which nobody waits for then; never returns. */
    final RuntimeException left(String operation, Throwable met) {
        throw Settlement.revoke(this, met instanceof MpiException error ? failure(operation, error) : met);
    }

    /** An MPI communicator of the same PEs. Called by all PEs; blocks. */
    abstract MpiComm duplicateMpi();

    /**
     * As {@link #duplicateMpi}, for calls of the program's own; revoked together with this one, where MPI can do that.
     */
    final MpiComm giveOut() {
        MpiComm made = duplicateMpi();
        givenOut.add(made);
        // No revocation may come to a PE that is still making it: Open MPI 6.0.0rc2 crashes.
        barrier();
        return made;
    }

    /** What the program was given and has not freed. */
    final List<MpiComm> givenOut() {
        givenOut.removeIf(MpiComm::isFreed);
        return givenOut;
    }

    @Override
    public final Optional<CommunicationFailedException> failureBehind(Throwable thrown) {
        boolean isOfMpi = Causes.of(thrown).anyMatch(mpi::isErrorOfMpi);
        if (!isOfMpi) {
            return Optional.empty();
        }
        Optional<CommunicationFailedException> failure = failureSeen("a call of MPI");
        failure.ifPresent(seen -> seen.initCause(thrown));
        return failure;
    }

    /** The failure or revocation that a call on another communicator of the same PEs must have met. */
    abstract Optional<CommunicationFailedException> failureSeen(String operation);

    /** Called when the MPI communicator is gone. */
    void freed() {}

    /** Makes the communicator of a group. Called by all PEs, none of whom is missing as far as is known here. */
    abstract MpiCommunicator splitOff(int color, RankMap group) throws MpiException;

    /** Takes part in an MPI split as one who is in no group. */
    abstract void splitOffNothing() throws MpiException;

    @Override
    public final Optional<Communicator> split(int color) {
        try {
            RankMap group = group(color);
            if (group == null) {
                splitOffNothing();
                barrier();
                return Optional.empty();
            }
            Communicator made = splitOff(color, group);
            GroupCommunicators.confirm(this, made);
            return Optional.of(made);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("split", met);
        }
    }

    /** The ranks of those who have the same color; null without one. */
    private @Nullable RankMap group(int color) {
        int[] colors = new int[size];
        allGather(MemorySegment.ofArray(new int[]{color}), MemorySegment.ofArray(colors));
        if (color < 0) {
            return null;
        }
        IntList others = new IntArrayList();
        for (int other = 0; other < size; other++) {
            if (colors[other] != color) {
                others.add(other);
            }
        }
        return ranks.without(others);
    }

    /**
     * {@inheritDoc}
     *
     * <p>
     * After a failure the MPI communicator is not freed: a message under way to it would later be taken for one of a
     * new communicator that happens to get its number.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        try {
            // After the end of MPI there is nothing to let go of, and calls would end the process.
            if (!mpi.isFinalized() && isQuiet()) {
                mpi.free();
                freed();
            } else {
                UnfinishedOperations.keepForgotten(inFlight);
            }
        } catch (MpiException e) {
            if (failure("close", e) instanceof Mpi.CallException error) {
                throw error;
            }
        } finally {
            closed = true;
        }
    }

    final void requireOpen(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + " on a closed communicator");
        }
    }

    final void checkRanksToEnd(IntSet currentRanks) {
        currentRanks.forEach((int currentRank) -> {
            if (currentRank < 0 || currentRank >= size) {
                throw new IllegalArgumentException(
                        "currentRanks must be in [0, " + size + "): currentRank=" + currentRank);
            }
        });
    }
}
