package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiMessage;
import org.restorej.internal.mpi.MpiOperation;

/**
 * What PEs of a group tell one another about its communicators and themselves where MPI itself has no revocation: small
 * messages on an MPI communicator that nothing else uses, received whenever a PE waits for something.
 *
 * <p>
 * Communicators have numbers, the same on all PEs and never used again, since all make the same ones in the same order.
 * So a notice about a communicator that is closed already means nothing, and none can come before the communicator is
 * known.
 */
final class RevocationNotices {
    private static final int TAG = 0;
    private static final int BYTES = 2 * Integer.BYTES;

    /**
     * A look costs half a microsecond, as much as a call in vain, of which a PE that waits makes thousands. And it
     * yields the core, which a PE that has something to do had better not do; so what it calls then counts less.
     */
    private static final int CALLS_BETWEEN_LOOKS = 256;

    private static final int CALLS_THAT_ONE_IN_VAIN_COUNTS_FOR = 16;

    private static final int REVOKED = 1;
    private static final int SHRINKING = 2;
    private static final int DEAD = 3;

    private final MpiComm channel;
    private final List<MpiOperation> underWay = new ArrayList<>();
    private final MemorySegment received = Arena.ofAuto().allocate(BYTES, Integer.BYTES);
    private final IntOpenHashSet revoked = new IntOpenHashSet();
    private final IntOpenHashSet shrinking = new IntOpenHashSet();
    private final IntOpenHashSet joined = new IntOpenHashSet();
    private final IntConsumer deaths;
    private int callsUntilLook = CALLS_BETWEEN_LOOKS;

    /**
     * Takes over a communicator of all PEs.
     *
     * @param channel which nothing else uses
     * @param deaths is told the original ranks of PEs that say that they have died
     */
    RevocationNotices(MpiComm channel, IntConsumer deaths) {
        this.channel = channel;
        this.deaths = deaths;
    }

    /** Tells PEs that a communicator is revoked. */
    void tellRevoked(int number, IntList peers) throws MpiException {
        tell(REVOKED, number, peers);
    }

    /** Tells PEs that this one waits for them in {@code shrink}. */
    void tellShrinking(int number, IntList peers) throws MpiException {
        tell(SHRINKING, number, peers);
    }

    /** Tells PEs that the one of this original rank has died. */
    void tellDead(int originalRank, IntList peers) throws MpiException {
        tell(DEAD, originalRank, peers);
    }

    private void tell(int kind, int number, IntList peers) throws MpiException {
        MemorySegment message = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_INT, kind, number);
        for (int i = 0; i < peers.size(); i++) {
            underWay.add(channel.send(message, peers.getInt(i), TAG));
        }
    }

    /** Whether somebody has told that a communicator is revoked, as far as is known here. */
    boolean isRevoked(int number) {
        return revoked.contains(number);
    }

    /** This PE takes part in a {@code shrink}. */
    void joins(int number) {
        joined.add(number);
    }

    /** Whether somebody waits for this PE in a {@code shrink}, as far as is known here. */
    boolean isAwaited() {
        return !joined.containsAll(shrinking);
    }

    /** As {@link #look}, once in a while: for who calls it very often. */
    void glance() throws MpiException {
        glance(1);
    }

    /** As {@link #glance}, and more often: for who waits. */
    void glanceInVain() throws MpiException {
        glance(CALLS_THAT_ONE_IN_VAIN_COUNTS_FOR);
    }

    private void glance(int calls) throws MpiException {
        callsUntilLook -= calls;
        if (callsUntilLook <= 0) {
            look();
        }
    }

    /** Receives what has been told. */
    void look() throws MpiException {
        callsUntilLook = CALLS_BETWEEN_LOOKS;
        while (true) {
            MpiMessage message = channel.probe(MpiComm.ANY_SOURCE, TAG);
            if (message == null) {
                break;
            }
            channel.receiveNow(received, message.source(), TAG);
            int about = received.getAtIndex(ValueLayout.JAVA_INT, 1);
            switch (received.getAtIndex(ValueLayout.JAVA_INT, 0)) {
                case REVOKED -> revoked.add(about);
                case SHRINKING -> shrinking.add(about);
                case DEAD -> deaths.accept(about);
                default -> throw new IllegalStateException(
                        "not a notice: kind=" + received.getAtIndex(ValueLayout.JAVA_INT, 0));
            }
        }
        for (int i = underWay.size() - 1; i >= 0; i--) {
            if (underWay.get(i).test()) {
                underWay.remove(i);
            }
        }
    }
}
