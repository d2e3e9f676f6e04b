package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.restorej.redset.internal.coding.ReductionChain;

/**
 * The order in which a member does its tasks, and with which pieces. A wave is the n-th piece of every chain. In a step
 * a member does each task once at most: those of hop h with the piece of the wave that began h steps before. So what a
 * member waits for was sent in the step before, and members wait for one another once a step, not once a hop. Immutable
 * and pure.
 *
 * <p>
 * A slot holds the pieces of one task until they have been sent. There are at least twice as many slots as a member has
 * tasks. So the slot of a task was last used at least two steps before, and every member that has come to this step has
 * received what was sent from it then: no deadlock. Memory follows from slots and piece size, whatever the files' sizes.
 *
 * @param tasks of the member, in order
 * @param pieceBytes length of a piece, the last of a chain excepted
 * @param slots tasks that may be under way at once
 * @param piecesPerSlot pieces that a slot holds: those carried, and the member's own bytes
 * @param waves pieces of the longest chain
 */
public record PiecePlan(List<ChainTask> tasks, long pieceBytes, int slots, int piecesPerSlot, long waves) {
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
        tasks = List.copyOf(tasks);
    }

    /**
     * A piece of a chain at a member.
     *
     * @param task what to do with it
     * @param offset first byte, in the bytes of each source and target
     * @param bytes length
     */
    public record Piece(ChainTask task, long offset, long bytes) {}

    /**
     * The plan of a member.
     *
     * @param chains of the set
     * @param ranks members
     * @param rank which member
     * @param mostPieceBytes greatest length of a piece, at least 1
     */
    public static PiecePlan of(List<ReductionChain> chains, int ranks, int rank, long mostPieceBytes) {
        // All members must come to the same piece size, so each looks at the tasks of all.
        int mostTasks = IntStream.range(0, ranks).map(member -> tasks(chains, member).size()).max().orElse(0);
        int slots = Math.max(LEAST_SLOTS, 2 * mostTasks);
        int carried = chains.stream().mapToInt(ReductionChain::carriedPieces).max().orElse(1);
        int piecesPerSlot = chains.stream().anyMatch(chain -> chain.matrix() != null) ? carried + 1 : carried;
        long longest = chains.stream().mapToLong(ReductionChain::bytes).max().orElse(0);
        long share = Math.max(ALIGNMENT, MOST_BYTES / ((long) slots * piecesPerSlot) & -ALIGNMENT);
        long pieceBytes = LongStream.of(mostPieceBytes, share, Math.max(1, longest)).min().orElseThrow();
        return new PiecePlan(tasks(chains, rank), pieceBytes, slots, piecesPerSlot,
                Math.ceilDiv(longest, pieceBytes));
    }

    private static List<ChainTask> tasks(List<ReductionChain> chains, int rank) {
        List<ChainTask> tasks = new ArrayList<>();
        for (ReductionChain chain : chains) {
            for (int source = 0; source < chain.sources().size(); source++) {
                if (chain.sources().get(source).rank() == rank) {
                    tasks.add(ChainTask.ofSource(chain, source));
                }
            }
            for (int target = 0; target < chain.targets().size(); target++) {
                if (chain.targets().get(target).rank() == rank) {
                    tasks.add(ChainTask.ofTarget(chain, target));
                }
            }
        }
        tasks.sort(PiecePlan::inOrder);
        return tasks;
    }

    /** Not put together by a Comparator, for whose parts the JVM would make classes in a job's first call. */
    private static int inOrder(ChainTask left, ChainTask right) {
        int byHop = Integer.compare(left.hop(), right.hop());
        return byHop != 0 ? byHop : Integer.compare(left.chain().number(), right.chain().number());
    }

    /**
     * How many tasks may have begun and not be finished, which is half of the slots: the next slot then holds a piece
     * that was sent some tasks ago, and not the latest. To ask in vain whether that has arrived gives the core away.
     */
    public int ahead() {
        return Math.ceilDiv(slots, 2);
    }

    /** The pieces of the member, in the order of its tasks. */
    public Iterator<Piece> pieces() {
        return new Pieces(this);
    }

    /** Made one at a time, as there may be many. */
    private static final class Pieces implements Iterator<Piece> {
        private final PiecePlan plan;
        private final long steps;
        private long step;
        private int task;

        Pieces(PiecePlan plan) {
            this.plan = plan;
            steps = plan.tasks.isEmpty() ? 0 : plan.waves + plan.tasks.getLast().hop();
            skipTasksWithoutPiece();
        }

        /** Goes on to a task whose chain has a piece for this step. */
        private void skipTasksWithoutPiece() {
            while (hasNext() && (offset() < 0 || plan.tasks.get(task).chain().bytes() <= offset())) {
                advance();
            }
        }

        /** Of the piece that the task has in this step; less than zero before the first. */
        private long offset() {
            return (step - plan.tasks.get(task).hop()) * plan.pieceBytes;
        }

        private void advance() {
            task++;
            if (task == plan.tasks.size()) {
                task = 0;
                step++;
            }
        }

        @Override
        public boolean hasNext() {
            return step < steps;
        }

        @Override
        public Piece next() {
            if (!hasNext()) {
                throw new NoSuchElementException("after the last piece");
            }
            ChainTask next = plan.tasks.get(task);
            long offset = offset();
            advance();
            skipTasksWithoutPiece();
            return new Piece(next, offset, Math.min(plan.pieceBytes, next.chain().bytes() - offset));
        }
    }
}
