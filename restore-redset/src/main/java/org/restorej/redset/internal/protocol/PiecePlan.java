package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.restorej.redset.internal.coding.ReductionChain;

/**
 * The order in which a member does its tasks, and with which pieces. A wave is the n-th piece of every chain. Waves
 * follow one another; within a wave tasks are in order of their hops. So what a member waits for belongs to an earlier
 * hop, on every member. Immutable and pure.
 *
 * <p>
 * A slot holds the pieces of one task until they have been sent. There are at least twice as many slots as a member has
 * tasks in one hop. So the slot of a task was last used at least two hops before, and every member that has come to
 * this hop has received what was sent from it then: no deadlock. Memory follows from slots and piece size, whatever the
 * files' sizes.
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
        int mostTasks = IntStream.range(0, ranks).map(member -> mostTasksInOneHop(tasks(chains, member))).max()
                .orElse(0);
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

    private static int mostTasksInOneHop(List<ChainTask> sorted) {
        int most = 0;
        int first = 0;
        for (int task = 0; task < sorted.size(); task++) {
            if (sorted.get(task).hop() != sorted.get(first).hop()) {
                first = task;
            }
            most = Math.max(most, task - first + 1);
        }
        return most;
    }

    /** The pieces of the member, in the order of its tasks. */
    public Iterator<Piece> pieces() {
        return new Pieces(this);
    }

    /** Made one at a time, as there may be many. */
    private static final class Pieces implements Iterator<Piece> {
        private final PiecePlan plan;
        private long wave;
        private int task;

        Pieces(PiecePlan plan) {
            this.plan = plan;
            skipEnded();
        }

        /** Goes on to a task whose chain has a piece in this wave. */
        private void skipEnded() {
            while (hasNext() && plan.tasks.get(task).chain().bytes() <= wave * plan.pieceBytes) {
                advance();
            }
        }

        private void advance() {
            task++;
            if (task == plan.tasks.size()) {
                task = 0;
                wave++;
            }
        }

        @Override
        public boolean hasNext() {
            return wave < plan.waves && !plan.tasks.isEmpty();
        }

        @Override
        public Piece next() {
            if (!hasNext()) {
                throw new NoSuchElementException("after the last piece");
            }
            ChainTask next = plan.tasks.get(task);
            long offset = wave * plan.pieceBytes;
            advance();
            skipEnded();
            return new Piece(next, offset, Math.min(plan.pieceBytes, next.chain().bytes() - offset));
        }
    }
}
