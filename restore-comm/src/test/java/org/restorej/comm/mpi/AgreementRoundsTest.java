package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.restorej.comm.RankMap;

class AgreementRoundsTest {
    private static final int ONE = 0;
    private static final int ANOTHER = 1;

    private final AgreementRounds rounds = new AgreementRounds(RankMap.identity(3));

    private void begin(int rank, int about, int flags, int... dead) {
        rounds.begin(rank, new Notice(Notice.Kind.BEGUN, about, flags, IntSet.of(dead)));
    }

    private void begin(int about) {
        for (int rank = 0; rank < 3; rank++) {
            begin(rank, about, -1);
        }
    }

    private void requireDecided(int about, int flags, int... dead) {
        AgreementRounds.Round round = Objects.requireNonNull(rounds.decided(IntSet.of(dead)));
        assertEquals(about, round.about);
        assertEquals(flags, round.flags);
        rounds.remove(round);
    }

    private void requireNoneDecided(int... dead) {
        assertNull(rounds.decided(IntSet.of(dead)));
    }

    @Test
    void agreementsOnDifferentCommunicatorsAreBegunAndDecidedInAnyOrder() {
        begin(0, ONE, 6);
        begin(1, ANOTHER, 1);
        begin(2, ONE, 3);
        begin(0, ANOTHER, 3);
        requireNoneDecided();
        begin(2, ANOTHER, 5);
        requireDecided(ANOTHER, 1);
        begin(1, ONE, -1);
        requireDecided(ONE, 2);
        requireNoneDecided();
    }

    @Test
    void thoseOnOneCommunicatorAreDecidedInTheirOrder() {
        begin(0, ONE, 4);
        begin(0, ONE, 8);
        begin(1, ONE, 4);
        begin(1, ONE, 8);
        requireNoneDecided();
        begin(2, ONE, 4);
        begin(2, ONE, 8);
        requireDecided(ONE, 4);
        requireDecided(ONE, 8);
    }

    @Test
    void aDeadPeIsNotWaitedForAndKnowledgeOfADeathIsHandedOn() {
        begin(0, ONE, 4);
        begin(1, ONE, 6, 2);
        requireNoneDecided();
        assertEquals(IntSet.of(2), Objects.requireNonNull(rounds.decided(IntSet.of(2))).dead);
        requireDecided(ONE, 4, 2);
    }

    @Test
    void anExclusionComesLastSinceAnotherPeMayAnswerThen() {
        begin(Notice.EXCLUSION);
        begin(ONE);
        requireDecided(ONE, -1);
        requireDecided(Notice.EXCLUSION, -1);
    }

    @Test
    void whoHasLeftHasNoFlags() {
        begin(0, ONE, -1);
        begin(1, ONE, -1);
        rounds.leave(2);
        requireDecided(ONE, 0);
    }

    @Test
    void whoIsInAnExclusionHasMissedAnAgreementInWhichAnotherOneWaits() {
        begin(0, ONE, -1);
        begin(1, Notice.EXCLUSION, -1);
        begin(2, Notice.EXCLUSION, -1);
        requireNoneDecided();
        rounds.begin(0, new Notice(Notice.Kind.WAITING, ANOTHER, -1, IntSet.of()));
        requireDecided(ANOTHER, 0);
        requireNoneDecided();
        begin(0, Notice.EXCLUSION, -1);
        requireDecided(Notice.EXCLUSION, -1);
        begin(1, ONE, 6);
        begin(2, ONE, 3);
        requireDecided(ONE, 2);
    }
}
