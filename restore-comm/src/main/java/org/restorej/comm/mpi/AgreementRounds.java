package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.RankMap;

/**
 * Agreements of a group that are not decided yet, as the PE keeps them that answers all: an agreement is decided when
 * all PEs alive have begun it. Which one a PE begins is said by the communicator and the order: agreements on different
 * communicators have nothing to do with each other.
 *
 * <p>
 * Two kinds of PEs are not waited for. One that has left has no flags in all agreements. One that waits for the others
 * in an exclusion has missed an agreement in which one of the others waits, since both would wait for ever; then it is
 * decided without any flags.
 *
 * <p>
 * A notice costs O(1), and a decision O(P), for P PEs.
 */
final class AgreementRounds {
    /** One agreement. */
    static final class Round {
        final int about;
        /** Original ranks of those who are to be answered. */
        final IntSet begun = new IntOpenHashSet();
        /** Original ranks of PEs of whose failure one of these knew when it began. */
        final IntSet dead = new IntAVLTreeSet();
        int flags = -1;
        private boolean someWait;
        /** All PEs of lower rank need not be waited for any more. */
        private int firstAwaited;

        private Round(int about) {
            this.about = about;
        }
    }

    private final RankMap ranks;
    private final List<Round> open = new ArrayList<>();
    private final IntOpenHashSet left = new IntOpenHashSet();

    /** Among the PEs of a group, in which nobody has failed yet. */
    AgreementRounds(RankMap ranks) {
        this.ranks = ranks;
    }

    /** A PE begins to agree. */
    void begin(int originalRank, Notice notice) {
        Round round = find(originalRank, notice.about());
        round.begun.add(originalRank);
        round.dead.addAll(notice.dead());
        round.flags &= notice.flags();
        round.someWait |= notice.kind() == Notice.Kind.WAITING;
    }

    /** The earliest about something that the PE has not begun yet. */
    private Round find(int originalRank, int about) {
        for (Round round : open) {
            if (round.about == about && !round.begun.contains(originalRank)) {
                return round;
            }
        }
        Round next = new Round(about);
        open.add(next);
        return next;
    }

    /** A PE takes part in nothing any more, against. */
    void leave(int originalRank) {
        left.add(originalRank);
    }

    /**
     * One that is decided: an exclusion only when nothing else is, since afterwards another PE may answer.
     *
     * @param dead original ranks of PEs that are not waited for
     */
    @Nullable
    Round decided(IntSet dead) {
        Round exclusion = null;
        for (Round round : open) {
            if (isDecided(round, dead)) {
                if (round.about != Notice.EXCLUSION) {
                    return round;
                }
                exclusion = round;
            }
        }
        return exclusion;
    }

    private boolean isDecided(Round round, IntSet dead) {
        while (round.firstAwaited < ranks.size()) {
            int originalRank = ranks.originalRankOf(round.firstAwaited);
            if (!dead.contains(originalRank) && !round.begun.contains(originalRank)) {
                if (!left.contains(originalRank) && !(round.someWait && waitsForExclusion(originalRank))) {
                    return false;
                }
                round.flags = 0;
            }
            round.firstAwaited++;
        }
        return true;
    }

    private boolean waitsForExclusion(int originalRank) {
        return open.stream().anyMatch(round -> round.about == Notice.EXCLUSION && round.begun.contains(originalRank));
    }

    /** Forgets one that is decided. */
    void remove(Round round) {
        open.remove(round);
    }
}
