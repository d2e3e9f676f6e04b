package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * In which order a member has its turns with which pieces. Wave after wave, the n-th piece of every strand; within a
 * wave step after step, so that what a member waits for is always of a step before, on every member. Immutable and
 * pure.
 *
 * <p>
 * A slot holds the pieces of one turn until they have left. With twice as many slots as a member has turns in one step,
 * the slot of a turn was last used at least two steps before, and what was sent from it then has been received by any
 * member that is at this step: nobody waits for ever. Memory follows from slots and piece size, whatever the files'
 * sizes.
 *
 * @param turns of the member, in order
 * @param pieceBytes length of a piece, the last of a strand excepted
 * @param slots turns that may be under way at once
 * @param piecesPerSlot pieces that a slot holds: those carried, and the member's own part
 * @param waves pieces of the longest strand
 */
public record PiecePlan(List<Turn> turns, long pieceBytes, int slots, int piecesPerSlot, long waves) {
    /** All slots of a member together; pieces get smaller when there are many. */
    static final long MOST_BYTES = 64 << 20;

    private static final long ALIGNMENT = 64;
    /**
     * One is received, one is computed, one is sent, and the others are for members that have less of a core than their
     * neighbours.
     */
    private static final int LEAST_SLOTS = 6;

    /** Copies the list. */
    public PiecePlan {
        turns = List.copyOf(turns);
    }

    /**
     * A piece of a strand at a member.
     *
     * @param turn what to do
     * @param offset first byte, in the places of the strand
     * @param bytes length
     */
    public record Piece(Turn turn, long offset, long bytes) {}

    /**
     * The plan of a member.
     *
     * @param strands of the set
     * @param ranks members
     * @param rank which member
     * @param mostPieceBytes greatest length of a piece, at least 1
     */
    public static PiecePlan of(List<Strand> strands, int ranks, int rank, long mostPieceBytes) {
        // All members must come to the same piece size, so each looks at the turns of all.
        int mostTurns = IntStream.range(0, ranks).map(member -> mostTurnsInOneStep(turns(strands, member))).max()
                .orElse(0);
        int slots = Math.max(LEAST_SLOTS, 2 * mostTurns);
        int carried = strands.stream().mapToInt(Strand::carriedPieces).max().orElse(1);
        int piecesPerSlot = strands.stream().anyMatch(strand -> strand.matrix() != null) ? carried + 1 : carried;
        long longest = strands.stream().mapToLong(Strand::bytes).max().orElse(0);
        long share = Math.max(ALIGNMENT, MOST_BYTES / ((long) slots * piecesPerSlot) & -ALIGNMENT);
        long pieceBytes = LongStream.of(mostPieceBytes, share, Math.max(1, longest)).min().orElseThrow();
        return new PiecePlan(turns(strands, rank), pieceBytes, slots, piecesPerSlot,
                Math.ceilDiv(longest, pieceBytes));
    }

    private static List<Turn> turns(List<Strand> strands, int rank) {
        List<Turn> turns = new ArrayList<>();
        for (Strand strand : strands) {
            for (int source = 0; source < strand.sources().size(); source++) {
                if (strand.sources().get(source).rank() == rank) {
                    turns.add(Turn.ofSource(strand, source));
                }
            }
            for (int target = 0; target < strand.targets().size(); target++) {
                if (strand.targets().get(target).rank() == rank) {
                    turns.add(Turn.ofTarget(strand, target));
                }
            }
        }
        turns.sort(Comparator.comparingInt(Turn::step).thenComparingInt(turn -> turn.strand().index()));
        return turns;
    }

    private static int mostTurnsInOneStep(List<Turn> sorted) {
        int most = 0;
        int first = 0;
        for (int turn = 0; turn < sorted.size(); turn++) {
            if (sorted.get(turn).step() != sorted.get(first).step()) {
                first = turn;
            }
            most = Math.max(most, turn - first + 1);
        }
        return most;
    }

    /** The pieces of the member, in the order of its turns. */
    public Iterator<Piece> pieces() {
        return new Pieces(this);
    }

    /** Made one at a time, as there may be many. */
    private static final class Pieces implements Iterator<Piece> {
        private final PiecePlan plan;
        private long wave;
        private int turn;

        Pieces(PiecePlan plan) {
            this.plan = plan;
            skipEnded();
        }

        /** Goes on to a turn whose strand has a piece in this wave. */
        private void skipEnded() {
            while (hasNext() && plan.turns.get(turn).strand().bytes() <= wave * plan.pieceBytes) {
                advance();
            }
        }

        private void advance() {
            turn++;
            if (turn == plan.turns.size()) {
                turn = 0;
                wave++;
            }
        }

        @Override
        public boolean hasNext() {
            return wave < plan.waves && !plan.turns.isEmpty();
        }

        @Override
        public Piece next() {
            if (!hasNext()) {
                throw new NoSuchElementException("after the last piece");
            }
            Turn next = plan.turns.get(turn);
            long offset = wave * plan.pieceBytes;
            advance();
            skipEnded();
            return new Piece(next, offset, Math.min(plan.pieceBytes, next.strand().bytes() - offset));
        }
    }
}
