package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.ElementType;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.mpi.ReduceOperation;

/**
 * One reduction under way among all processes of a group that are not yet left out, the dead included: the bitwise and
 * of flags, and who of the group is dead by what any of them knows.
 */
final class SimulatedAgreement {
    // Of ints.
    private static final int FLAGS = 0;
    private static final int WHAT = 1;
    /** What is agreed on, and its complement: where PEs mean different things, the two don't fit. */
    private static final int ABOUT = 2;
    private static final int NOT_ABOUT = 3;
    private static final int ALIVE = 4;

    private static final int KEEPS = 1;
    private static final int STAYS = 2;

    /** About the dead, who are to be left out. */
    static final int EXCLUSION = -2;

    /** About the end of a program. */
    static final int VOTE = -3;

    /** Whatever the others agree on. */
    private static final int ANYTHING = -1;

    private final RankMap ranks;
    private final MemorySegment received;
    private final MpiOperation reduction;

    private SimulatedAgreement(RankMap ranks, MemorySegment received, MpiOperation reduction) {
        this.ranks = ranks;
        this.received = received;
        this.reduction = reduction;
    }

    /**
     * Starts it.
     *
     * @param channel whose processes all start the same, and which nothing else uses
     * @param ranks of the group at first
     * @param about number of the communicator whose PEs agree, {@link #EXCLUSION} to leave the dead out afterwards, or
     *        {@link #VOTE}
     * @param dead original ranks known to be dead
     */
    static SimulatedAgreement start(MpiComm channel, RankMap ranks, int flags, int about, IntCollection dead)
            throws MpiException {
        return start(channel, ranks, flags, (about == EXCLUSION ? 0 : KEEPS) | STAYS, about, dead);
    }

    /** Starts it as a dead PE, which has no opinion. */
    static SimulatedAgreement startAsDead(MpiComm channel, RankMap ranks, IntCollection dead) throws MpiException {
        return start(channel, ranks, -1, KEEPS | STAYS, ANYTHING, dead);
    }

    /** Starts it as a PE that has given up all that the group could agree on. */
    static SimulatedAgreement startAgainst(MpiComm channel, RankMap ranks, IntCollection dead) throws MpiException {
        return start(channel, ranks, 0, KEEPS, ANYTHING, dead);
    }

    private static SimulatedAgreement start(MpiComm channel, RankMap ranks, int flags, int what, int about,
            IntCollection dead) throws MpiException {
        int ints = ALIVE + (ranks.size() + Integer.SIZE - 1) / Integer.SIZE;
        Arena arena = Arena.ofAuto();
        MemorySegment sent = arena.allocate(ValueLayout.JAVA_INT, ints);
        MemorySegment received = arena.allocate(ValueLayout.JAVA_INT, ints);
        sent.setAtIndex(ValueLayout.JAVA_INT, FLAGS, flags);
        sent.setAtIndex(ValueLayout.JAVA_INT, WHAT, what);
        sent.setAtIndex(ValueLayout.JAVA_INT, ABOUT, about);
        sent.setAtIndex(ValueLayout.JAVA_INT, NOT_ABOUT, about == ANYTHING ? ANYTHING : ~about);
        for (int at = ALIVE; at < ints; at++) {
            sent.setAtIndex(ValueLayout.JAVA_INT, at, -1);
        }
        dead.forEach((int originalRank) -> {
            int bit = ranks.currentRankOf(originalRank);
            int at = wordOf(bit);
            sent.setAtIndex(ValueLayout.JAVA_INT, at,
                    sent.getAtIndex(ValueLayout.JAVA_INT, at) & ~(1 << (bit % Integer.SIZE)));
        });
        return new SimulatedAgreement(ranks, received,
                channel.startAllReduce(sent, received, ElementType.INT, ReduceOperation.BITWISE_AND));
    }

    private static int wordOf(int bit) {
        return ALIVE + bit / Integer.SIZE;
    }

    boolean test() throws MpiException {
        return reduction.test();
    }

    /** What is under way, kept where nobody waits for it any more. */
    MpiOperation reduction() {
        return reduction;
    }

    /** Whether all PEs alive agree on the same thing: otherwise one of them has missed what the others are at. */
    boolean isOfAll() {
        return received.getAtIndex(ValueLayout.JAVA_INT, ABOUT) == ~received.getAtIndex(ValueLayout.JAVA_INT,
                NOT_ABOUT) || someHaveLeft();
    }

    /** Of all PEs; none where one has missed it. */
    int flags() {
        return !isOfAll() ? 0 : received.getAtIndex(ValueLayout.JAVA_INT, FLAGS);
    }

    boolean excludes() {
        return isOfAll() && (received.getAtIndex(ValueLayout.JAVA_INT, WHAT) & KEEPS) == 0;
    }

    /** Whether somebody has given up. */
    boolean someHaveLeft() {
        return (received.getAtIndex(ValueLayout.JAVA_INT, WHAT) & STAYS) == 0;
    }

    /** Original ranks. */
    IntSortedSet dead() {
        IntSortedSet dead = new IntAVLTreeSet();
        for (int rank = 0; rank < ranks.size(); rank++) {
            if ((received.getAtIndex(ValueLayout.JAVA_INT, wordOf(rank)) & (1 << (rank % Integer.SIZE))) == 0) {
                dead.add(ranks.originalRankOf(rank));
            }
        }
        return dead;
    }
}
