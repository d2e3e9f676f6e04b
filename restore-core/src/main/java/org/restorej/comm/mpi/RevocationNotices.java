package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * What PEs of a group tell one another about its communicators and themselves where MPI itself has no revocation: small
 * messages on an MPI
 * communicator that nothing else uses, received whenever a PE waits for something.
 *
 * <p>
 * Communicators have numbers, the same on all PEs and never used again, since all make the same ones in the same order.
 * So a notice about a communicator that is closed already means nothing, and none can come before the communicator is
 * known.
 */
final class RevocationNotices {
    private static final int TAG = 0;
    private static final int BYTES = 2 * Integer.BYTES;

    /** A look costs half a microsecond, as much as the call in vain before it; a PE that waits makes thousands. */
    private static final int CALLS_BETWEEN_LOOKS = 16;

    private static final int REVOKED = 1;
    private static final int SHRINKING = 2;
    private static final int DEAD = 3;

    private record Sent(Request request, ByteBuffer message) {}

    private final Intracomm channel;
    private final List<Sent> underWay = new ArrayList<>();
    private final ByteBuffer received = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
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
    RevocationNotices(Intracomm channel, IntConsumer deaths) {
        this.channel = channel;
        this.deaths = deaths;
    }

    /** Tells PEs that a communicator is revoked. */
    void tellRevoked(int number, IntList peers) throws MPIException {
        tell(REVOKED, number, peers);
    }

    /** Tells PEs that this one waits for them in {@code shrink}. */
    void tellShrinking(int number, IntList peers) throws MPIException {
        tell(SHRINKING, number, peers);
    }

    /** Tells PEs that the one of this original rank has died. */
    void tellDead(int originalRank, IntList peers) throws MPIException {
        tell(DEAD, originalRank, peers);
    }

    private void tell(int kind, int number, IntList peers) throws MPIException {
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        message.putInt(0, kind).putInt(Integer.BYTES, number);
        for (int i = 0; i < peers.size(); i++) {
            int peer = peers.getInt(i);
            underWay.add(new Sent(channel.iSend(message, BYTES, MPI.BYTE, peer, TAG), message));
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
    void glance() throws MPIException {
        if (--callsUntilLook <= 0) {
            look();
        }
    }

    /** Receives what has been told. */
    void look() throws MPIException {
        callsUntilLook = CALLS_BETWEEN_LOOKS;
        while (true) {
            Status status = channel.iProbe(MPI.ANY_SOURCE, TAG);
            if (status == null) {
                break;
            }
            channel.recv(received, BYTES, MPI.BYTE, status.getSource(), TAG);
            int about = received.getInt(Integer.BYTES);
            switch (received.getInt(0)) {
                case REVOKED -> revoked.add(about);
                case SHRINKING -> shrinking.add(about);
                case DEAD -> deaths.accept(about);
                default -> throw new IllegalStateException("not a notice: kind=" + received.getInt(0));
            }
        }
        for (int i = underWay.size() - 1; i >= 0; i--) {
            if (underWay.get(i).request().test()) {
                underWay.remove(i);
            }
        }
    }
}
