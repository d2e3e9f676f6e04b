package org.restorej.exchange;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.restorej.comm.Communicator;

/**
 * Moves runs of bytes between PEs that both know, or are just learning, which runs go from the one to the other.
 *
 * <p>
 * Long runs go straight from memory to memory, short ones are packed into frames; staging is bounded by
 * {@link TransferLimits} whatever the amount of data and the number of PEs. Streams may be added while others are under
 * way. One thread.
 */
final class Transfers implements AutoCloseable {
    private final Communicator communicator;
    private final TransferLimits limits;
    private final int firstTag;
    private final Arena arena = Arena.ofShared();
    private final PackedSender packedSender;
    private final PackedReceiver packedReceiver;
    private final List<DirectStream> directStreams = new ArrayList<>();
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
     */
    Transfers(Communicator communicator, int firstTag, TransferLimits limits) {
        this.communicator = communicator;
        this.firstTag = firstTag;
        this.limits = limits;
        packedSender = new PackedSender(communicator, limits, arena);
        packedReceiver = new PackedReceiver(communicator, limits, arena);
    }

    /** Begins a round; everything of the one before has been sent and received here. Rounds use two tags in turn. */
    void beginRound() {
        directTag = firstTag + (rounds & 1);
        packedTag = firstTag + 2 + (rounds & 1);
        rounds++;
    }

    /** Sends runs to a PE; once in a round for each PE. */
    void send(int peer, ByteRuns runs) {
        sentBytes += runs.totalBytes();
        peers.add(peer);
        packedSender.add(peer, runs);
        int tag = directTag;
        addDirect(new DirectStream(runs, limits, bytes -> communicator.send(bytes, peer, tag)));
    }

    /** Receives runs from a PE; once in a round for each PE. */
    void receive(int peer, ByteRuns runs) {
        receivedBytes += runs.totalBytes();
        peers.add(peer);
        packedReceiver.add(peer, runs);
        int tag = directTag;
        addDirect(new DirectStream(runs, limits, bytes -> communicator.receive(bytes, peer, tag)));
    }

    private void addDirect(DirectStream stream) {
        // Known before anything of it is under way, so that it is given up too when that fails.
        directStreams.add(stream);
        stream.progress();
    }

    /** Does what can be done now, and says whether all streams added so far are through. */
    boolean progress() {
        boolean sent = packedSender.progress(packedTag);
        boolean received = packedReceiver.progress(packedTag);
        for (Iterator<DirectStream> streams = directStreams.iterator(); streams.hasNext();) {
            if (streams.next().progress()) {
                streams.remove();
            }
        }
        return sent && received && directStreams.isEmpty();
    }

    /** Bytes of all frames. */
    long stagingBytes() {
        return packedSender.stagingBytes() + packedReceiver.stagingBytes();
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
    }

    /** Frees the staging; nothing may be under way. */
    @Override
    public void close() {
        arena.close();
    }
}
