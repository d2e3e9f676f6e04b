package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.objects.ObjectOpenHashSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Status;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Envelope;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.GroupCommunicators;
import org.restorej.comm.MessageArguments;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

/**
 * A communicator on the Java bindings of Open MPI 4.1 or 5.0: messages and collective calls. How failures come about,
 * are noticed and got over is what the two subclasses differ in.
 *
 * <p>
 * A call costs MPI's price and about 300 ns for crossing into native code; a message allocates three small objects, a
 * poll that finds nothing allocates none. Owns its MPI communicator.
 */
abstract sealed class OpenMpiCommunicator implements Communicator, FailureSimulation
        permits SimulatedFailureCommunicator, UlfmCommunicator {
    private final Intracomm intracomm;
    private final RankMap ranks;
    private final int rank;
    private final int size;
    /** What MPI may still read or write, kept reachable even where the program forgets a request. */
    private final ObjectOpenHashSet<OpenMpiRequest> inFlight = new ObjectOpenHashSet<>();
    private boolean closed;

    /**
     * Takes over an MPI communicator, which must return its errors.
     *
     * @param intracomm whose ranks are the current ranks of {@code ranks}
     */
    OpenMpiCommunicator(Intracomm intracomm, RankMap ranks) throws MPIException {
        this.intracomm = intracomm;
        this.ranks = ranks;
        this.rank = intracomm.getRank();
        this.size = intracomm.getSize();
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

    /** What an error that MPI returned means. */
    abstract RuntimeException failure(String operation, MPIException error);

    /** Gathers bytes of all PEs; blocks, and throws what {@link #requireAll} does as soon as there is reason to. */
    abstract void gather(ByteBuffer sent, int bytes, ByteBuffer received) throws MPIException;

    /** Reduces on all PEs, as {@link #gather} does. */
    abstract void reduce(ByteBuffer sent, ByteBuffer received, int count, Datatype type, Op operation)
            throws MPIException;

    /** Called while a request that was given up is waited for. */
    abstract void awaitRelease() throws MPIException;

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

    final Intracomm intracomm() {
        return intracomm;
    }

    @Override
    public final Request send(MemorySegment message, int destination, int tag) {
        MessageArguments.checkSend(message, destination, tag, size);
        requirePeer("send", destination);
        ByteBuffer buffer = message.asByteBuffer();
        try {
            return started(OpenMpiRequest.Kind.SEND, destination,
                    intracomm.iSend(buffer, buffer.capacity(), MPI.BYTE, destination, tag));
        } catch (MPIException e) {
            throw failure("send", e);
        }
    }

    @Override
    public final Request sendSynchronous(MemorySegment message, int destination, int tag) {
        MessageArguments.checkSend(message, destination, tag, size);
        requirePeer("synchronous send", destination);
        ByteBuffer buffer = message.asByteBuffer();
        try {
            return started(OpenMpiRequest.Kind.SYNCHRONOUS_SEND, destination,
                    intracomm.isSend(buffer, buffer.capacity(), MPI.BYTE, destination, tag));
        } catch (MPIException e) {
            throw failure("synchronous send", e);
        }
    }

    @Override
    public final Request receive(MemorySegment buffer, int source, int tag) {
        MessageArguments.checkReceive(buffer, source, tag, size);
        requirePeer("receive", source);
        ByteBuffer destination = buffer.asByteBuffer();
        try {
            return started(OpenMpiRequest.Kind.RECEIVE, source,
                    intracomm.iRecv(destination, destination.capacity(), MPI.BYTE, source, tag));
        } catch (MPIException e) {
            throw failure("receive", e);
        }
    }

    private Request started(OpenMpiRequest.Kind kind, int peer, mpi.Request pending) {
        OpenMpiRequest request = new OpenMpiRequest(this, kind, peer, pending);
        inFlight.add(request);
        return request;
    }

    final void released(OpenMpiRequest request) {
        inFlight.remove(request);
    }

    @Override
    public final @Nullable Envelope probe(int tag) {
        MessageArguments.checkTag(tag);
        requireAll("probe");
        try {
            Status status = intracomm.iProbe(MPI.ANY_SOURCE, tag);
            if (status == null) {
                requireNobodyDead("probe");
                return null;
            }
            return new Envelope(status.getSource(), status.getCount(MPI.BYTE));
        } catch (MPIException e) {
            throw failure("probe", e);
        }
    }

    @Override
    public final Request barrier() {
        requireAll("barrier");
        try {
            return started(OpenMpiRequest.Kind.BARRIER, -1, intracomm.iBarrier());
        } catch (MPIException e) {
            throw failure("barrier", e);
        }
    }

    @Override
    public final void allGather(MemorySegment mine, MemorySegment all) {
        long bytes = mine.byteSize();
        MessageArguments.checkAllGather(mine, all, size);
        if (all.byteSize() > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("all.byteSize() must be at most " + MAX_MESSAGE_BYTES
                    + ": all.byteSize()=" + all.byteSize());
        }
        requireAll("allGather");
        if (bytes == 0) {
            return;
        }
        // Through memory of its own: small, and so any kind of segment will do. Not freed by hand: after
        // an exception MPI may still use it.
        Arena arena = Arena.ofAuto();
        MemorySegment sent = arena.allocate(bytes);
        MemorySegment received = arena.allocate(all.byteSize());
        sent.copyFrom(mine);
        try {
            gather(sent.asByteBuffer(), (int) bytes, received.asByteBuffer());
            all.copyFrom(received);
        } catch (MPIException e) {
            throw failure("allGather", e);
        }
    }

    @Override
    public final void allReduce(long[] values, Reduction reduction) {
        allReduce(MemorySegment.ofArray(values), values.length, MPI.LONG, reduction);
    }

    @Override
    public final void allReduce(double[] values, Reduction reduction) {
        allReduce(MemorySegment.ofArray(values), values.length, MPI.DOUBLE, reduction);
    }

    private void allReduce(MemorySegment values, int count, Datatype type, Reduction reduction) {
        requireAll("allReduce");
        if (count == 0) {
            return;
        }
        // Not freed by hand: after an exception MPI may still use it.
        Arena arena = Arena.ofAuto();
        MemorySegment sent = arena.allocate(values.byteSize(), Long.BYTES);
        MemorySegment received = arena.allocate(values.byteSize(), Long.BYTES);
        sent.copyFrom(values);
        try {
            reduce(sent.asByteBuffer(), received.asByteBuffer(), count, type, operation(reduction));
        } catch (MPIException e) {
            throw failure("allReduce", e);
        }
        values.copyFrom(received);
    }

    /** An MPI communicator of the same PEs. Called by all PEs; blocks. */
    abstract Intracomm duplicateIntracomm();

    /** Called when the MPI communicator is gone. */
    void freed() {}

    /** Makes the communicator of a group. Called by all PEs, none of whom is missing as far as is known here. */
    abstract OpenMpiCommunicator splitOff(int color, RankMap group) throws MPIException;

    /** Takes part in an MPI split as one who is in no group. */
    abstract void splitOffNothing() throws MPIException;

    @Override
    public final Optional<Communicator> split(int color) {
        RankMap group = group(color);
        try {
            if (group == null) {
                splitOffNothing();
                barrier().await();
                return Optional.empty();
            }
            Communicator made = splitOff(color, group);
            GroupCommunicators.confirm(this, made);
            return Optional.of(made);
        } catch (MPIException e) {
            throw failure("split", e);
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

    private static Op operation(Reduction reduction) {
        return switch (reduction) {
            case SUM -> MPI.SUM;
            case MIN -> MPI.MIN;
            case MAX -> MPI.MAX;
        };
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
            if (!MPI.isFinalized() && isQuiet()) {
                intracomm.free();
                freed();
            }
        } catch (MPIException e) {
            if (failure("close", e) instanceof MpiCallException error) {
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
