package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.restorej.comm.RankMap;

/**
 * One reduction under way among all processes of a group that are not yet left out, the dead included: the bitwise and
 * of flags, and who of the group is dead by what any of them knows.
 */
final class SimulatedAgreement {
    private static final int FLAGS = 0;
    private static final int WHAT = Integer.BYTES;
    private static final int ALIVE = 2 * Integer.BYTES;

    private static final int KEEPS = 1;
    private static final int STAYS = 2;

    private final RankMap ranks;
    private final ByteBuffer received;
    private final Request reduction;

    private SimulatedAgreement(RankMap ranks, ByteBuffer received, Request reduction) {
        this.ranks = ranks;
        this.received = received;
        this.reduction = reduction;
    }

    /**
     * Starts it.
     *
     * @param channel whose processes all start the same, and which nothing else uses
     * @param ranks of the group at first
     * @param excludes whether the dead are left out afterwards
     * @param dead original ranks known to be dead
     */
    static SimulatedAgreement start(Intracomm channel, RankMap ranks, int flags, boolean excludes, IntCollection dead)
            throws MPIException {
        return start(channel, ranks, flags, (excludes ? 0 : KEEPS) | STAYS, dead);
    }

    /** Starts it as a PE that has given up all that the group could agree on. */
    static SimulatedAgreement startAgainst(Intracomm channel, RankMap ranks, IntCollection dead) throws MPIException {
        return start(channel, ranks, 0, KEEPS, dead);
    }

    private static SimulatedAgreement start(Intracomm channel, RankMap ranks, int flags, int what, IntCollection dead)
            throws MPIException {
        int ints = 2 + (ranks.size() + Integer.SIZE - 1) / Integer.SIZE;
        ByteBuffer sent = ByteBuffer.allocateDirect(ints * Integer.BYTES).order(ByteOrder.nativeOrder());
        ByteBuffer received = ByteBuffer.allocateDirect(ints * Integer.BYTES).order(ByteOrder.nativeOrder());
        sent.putInt(FLAGS, flags).putInt(WHAT, what);
        for (int at = ALIVE; at < sent.capacity(); at += Integer.BYTES) {
            sent.putInt(at, -1);
        }
        dead.forEach((int originalRank) -> {
            int bit = ranks.currentRankOf(originalRank);
            int at = wordOf(bit);
            sent.putInt(at, sent.getInt(at) & ~(1 << (bit % Integer.SIZE)));
        });
        return new SimulatedAgreement(ranks, received,
                channel.iAllReduce(sent, received, ints, MPI.INT, MPI.BAND));
    }

    private static int wordOf(int bit) {
        return ALIVE + (bit / Integer.SIZE) * Integer.BYTES;
    }

    boolean test() throws MPIException {
        return reduction.test();
    }

    int flags() {
        return received.getInt(FLAGS);
    }

    boolean excludes() {
        return (received.getInt(WHAT) & KEEPS) == 0;
    }

    /** Whether somebody has given up. */
    boolean someHaveLeft() {
        return (received.getInt(WHAT) & STAYS) == 0;
    }

    /** Original ranks. */
    IntSortedSet dead() {
        IntSortedSet dead = new IntAVLTreeSet();
        for (int rank = 0; rank < ranks.size(); rank++) {
            if ((received.getInt(wordOf(rank)) & (1 << (rank % Integer.SIZE))) == 0) {
                dead.add(ranks.originalRankOf(rank));
            }
        }
        return dead;
    }
}
