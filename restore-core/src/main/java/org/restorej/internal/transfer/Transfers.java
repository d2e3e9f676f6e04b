package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayDeque;
import org.restorej.comm.Communicator;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.ByteRuns;
import org.restorej.internal.storage.PooledMemory;

/**
 * Moves runs of bytes between PEs that both know, or are just learning, which runs go from the one to the other.
 *
 * <p>
 * Long runs go straight from memory to memory, short ones are packed into frames; buffers are bounded by
 * {@link TransferLimits} whatever the amount of data and the number of PEs. Streams may be added while others are under
 * way. One thread.
 */
final class Transfers {
    private final Communicator communicator;
    private final TransferLimits limits;
    private final int firstTag;
    private final PackedSender packedSender;
    private final PackedReceiver packedReceiver;
    private final ArrayDeque<DirectStream> directStreams = new ArrayDeque<>();
    /** Of the direct streams, those that receive. */
    private int receiving;
    private int directTag;
    private int packedTag;
    private int rounds;
    private long sentBytes;
    private long receivedBytes;
    private final IntSet peers = new IntOpenHashSet();

    /**
     * Transfers on a communicator.
     *
     * @param firstTag this tag and the next three are used, by nothing else on this communicator
     * @param buffers gives the memory of the frames
     */
    Transfers(Communicator communicator, int firstTag, TransferLimits limits, PooledMemory buffers) {
        this.communicator = communicator;
        this.firstTag = firstTag;
        this.limits = limits;
        packedSender = new PackedSender(communicator, limits, buffers);
        packedReceiver = new PackedReceiver(communicator, limits, buffers);
    }

    /** Begins a round; everything of the one before has been sent and received here. Rounds use two tags in turn. */
    void beginRound() {
        directTag = firstTag + (rounds & 1);
        packedTag = firstTag + 2 + (rounds & 1);
        rounds++;
    }

    /** Begins to send each group that is another PE's. */
    void send(PieceTable pieces, Payload payload) {
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != communicator.rank()) {
                send(pieces.peer(group), payload.toSend(pieces, group));
            }
        }
    }

    /** Begins to receive each group that another PE sends. */
    void receive(PieceTable pieces, Payload payload) {
        for (int group = 0; group < pieces.peerCount(); group++) {
            if (pieces.peer(group) != communicator.rank()) {
                receive(pieces.peer(group), payload.toReceive(pieces, group));
            }
        }
    }

    /** In a round again only when the PE has received all that was sent to it before. */
    private void send(int peer, ByteRuns runs) {
        MeasuredRuns measured = new MeasuredRuns(runs);
        sentBytes += measured.totalBytes();
        peers.add(peer);
        packedSender.add(peer, measured);
        addDirect(new DirectStream(communicator, limits, true, peer, directTag, measured));
    }

    /** In a round again only when all from the PE have come that were expected before. */
    private void receive(int peer, ByteRuns runs) {
        MeasuredRuns measured = new MeasuredRuns(runs);
        receivedBytes += measured.totalBytes();
        peers.add(peer);
        packedReceiver.add(peer, measured);
        addDirect(new DirectStream(communicator, limits, false, peer, directTag, measured));
    }

    private void addDirect(DirectStream stream) {
        // Known before anything of it is under way, so that it is given up too when that fails.
        directStreams.add(stream);
        receiving += stream.sends() ? 0 : 1;
        stream.post();
    }

    /** Does what can be done now, and says whether all streams added so far are through. */
    boolean progress() {
        boolean sent = packedSender.progress(packedTag);
        boolean received = packedReceiver.progress(packedTag);
        return progressDirect() && sent && received;
    }

    /**
     * Goes through the direct streams, each time from where the last time ended, until one has to wait. Asking MPI
     * after something that is not done makes a process yield its core, and where others compute on it, it gets it back
     * milliseconds later: so that is done once a time and not once a stream.
     */
    private boolean progressDirect() {
        while (!directStreams.isEmpty()) {
            DirectStream stream = directStreams.getFirst();
            boolean done = stream.progress();
            directStreams.removeFirst();
            if (!done) {
                directStreams.addLast(stream);
                return false;
            }
            receiving -= stream.sends() ? 0 : 1;
        }
        return true;
    }

    /** Whether all that is to come to this PE has come, as far as {@link #progress} has seen. */
    boolean hasReceived() {
        return receiving == 0 && packedReceiver.isThrough();
    }

    /** What has been moved, or begun to, since the last time this was asked for. */
    Traffic takeTraffic() {
        Traffic traffic = new Traffic(sentBytes, receivedBytes, peers.size());
        sentBytes = 0;
        receivedBytes = 0;
        peers.clear();
        return traffic;
    }

    /** Gives everything up after a failure; the memory of all runs is free to use afterwards. */
    void abandon() {
        packedSender.abandon();
        packedReceiver.abandon();
        directStreams.forEach(DirectStream::abandon);
        directStreams.clear();
        receiving = 0;
    }
}
