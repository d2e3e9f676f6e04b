package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PlainMpi;

/**
 * What a sparse all-to-all is without NBX: everybody tells everybody how much comes, then all of it is sent at once.
 */
final class CountedAllToAll implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final PlainMpi mpi;
    private final SparseMessages messages;
    private final PlainMpi.PeerParts sent;
    private final PlainMpi.PeerParts received;

    CountedAllToAll(RankWorld ranks, SparseMessages messages) {
        mpi = ranks.plain();
        this.messages = messages;
        MemorySegment destination = arena
                .allocate(Math.max(1, (long) messages.expectedCount() * messages.messageBytes()), 64);
        sent = new PlainMpi.PeerParts(messages.segment(), perPeer(), perPeer());
        received = new PlainMpi.PeerParts(destination, perPeer(), perPeer());
        for (int peer = 0; peer < messages.peCount(); peer++) {
            sent.counts().setAtIndex(ValueLayout.JAVA_INT, peer, messages.countFor(peer) * messages.messageBytes());
        }
        displace(sent);
    }

    private MemorySegment perPeer() {
        return arena.allocate(ValueLayout.JAVA_INT, messages.peCount());
    }

    private void displace(PlainMpi.PeerParts parts) {
        int next = 0;
        for (int peer = 0; peer < messages.peCount(); peer++) {
            parts.offsets().setAtIndex(ValueLayout.JAVA_INT, peer, next);
            next += parts.counts().getAtIndex(ValueLayout.JAVA_INT, peer);
        }
    }

    @Override
    public long bytes() {
        return messages.bytes();
    }

    @Override
    public void clear() {
        received.bytes().fill((byte) 0xEE);
    }

    @Override
    public void run() {
        mpi.allToAll(sent.counts(), received.counts());
        displace(received);
        mpi.allToAllV(sent, received);
    }

    @Override
    public void check() {
        for (int peer = 0; peer < messages.peCount(); peer++) {
            messages.requireFrom(peer,
                    received.bytes().asSlice(received.offsets().getAtIndex(ValueLayout.JAVA_INT, peer),
                            received.counts().getAtIndex(ValueLayout.JAVA_INT, peer)));
        }
    }

    @Override
    public void close() {
        messages.close();
        arena.close();
    }
}
