package org.restorej.comm.local;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.lang.reflect.Array;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/**
 * One collective call of all PEs of a communicator. Each PE leaves a contribution; when all have, each reads all of
 * them. Rounds form a linked list that each PE walks along, so finished rounds become garbage.
 */
final class CollectiveRound {
    /**
     * The properties of a call that must be equal on all PEs.
     *
     * @param operation the call
     * @param shape type and reduction
     * @param length number of elements
     */
    record Call(Operation operation, String shape, long length) {
        /** Written out, because the JVM would generate code for it when a rank starts. */
        boolean isSame(Call other) {
            return operation == other.operation && length == other.length && shape.equals(other.shape);
        }

        @Override
        public String toString() {
            return operation + "(" + length + " " + shape + ")";
        }
    }

    private final @Nullable Object[] contributions;
    private @Nullable Call firstCall;
    private int firstRank;
    private volatile int entered;
    private volatile @Nullable String disagreement;
    private @Nullable CollectiveRound next;
    private @Nullable Object reduced;
    private @Nullable Context duplicate;
    private final Map<Integer, Context> groups = new HashMap<>();

    CollectiveRound(int size) {
        contributions = new Object[size];
    }

    synchronized CollectiveRound next() {
        if (next == null) {
            next = new CollectiveRound(contributions.length);
        }
        return next;
    }

    /** Enters the round, and returns whether the other PEs should be woken. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
    synchronized boolean enter(int rank, Call call, @Nullable Object contribution) {
        if (firstCall == null) {
            firstCall = call;
            firstRank = rank;
        } else if (!firstCall.isSame(call)) {
            disagreement = "all PEs must make the same collective calls in the same order: rank " + firstRank
                    + " called " + firstCall + ", rank " + rank + " " + call;
        }
        contributions[rank] = contribution;
        entered++;
        return isComplete() || disagreement != null;
    }

    int entered() {
        return entered;
    }

    boolean isComplete() {
        return entered == contributions.length;
    }

    void checkAgreed() {
        if (disagreement != null) {
            throw new IllegalStateException(disagreement);
        }
    }

    /** The contribution of a PE to a complete round. */
    Object contribution(int rank) {
        return Objects.requireNonNull(contributions[rank]);
    }

    /** A copy of an array of longs or doubles. */
    static Object copyOf(Object array) {
        return array instanceof long[] longs ? longs.clone() : ((double[]) array).clone();
    }

    /** Copies the combination of all contributions into an array of a PE. The first PE that calls this computes it. */
    synchronized void copyReduced(Reduction reduction, Object values) {
        Object all = reduced;
        if (all == null) {
            all = copyOf(contribution(0));
            // By ascending rank, because floating-point sums depend on the order.
            for (int source = 1; source < contributions.length; source++) {
                combine(all, contribution(source), reduction);
            }
            reduced = all;
        }
        System.arraycopy(all, 0, values, 0, Array.getLength(values));
    }

    private static void combine(Object all, Object contribution, Reduction reduction) {
        if (all instanceof long[] longs) {
            for (int index = 0; index < longs.length; index++) {
                longs[index] = reduction.combine(longs[index], ((long[]) contribution)[index]);
            }
        } else {
            double[] doubles = (double[]) all;
            for (int index = 0; index < doubles.length; index++) {
                doubles[index] += ((double[]) contribution)[index];
            }
        }
    }

    /** The communicator that duplicates the one of this round; the same for all PEs. */
    synchronized Context duplicateOf(Context context) {
        if (duplicate == null) {
            duplicate = context.derived(context.ranks());
        }
        return duplicate;
    }

    /** The communicator of a new attempt of a program; the same for all PEs. */
    synchronized Context attemptOf(Context context) {
        if (duplicate == null) {
            duplicate = new Context(context.run(), context.ranks(), new AttemptState());
        }
        return duplicate;
    }

    /** The communicator of the PEs that contributed this color to this round; the same for all of them. */
    synchronized Context groupOf(Context context, int color) {
        return groups.computeIfAbsent(color, mine -> {
            IntList others = new IntArrayList();
            for (int rank = 0; rank < contributions.length; rank++) {
                if (!contribution(rank).equals(mine)) {
                    others.add(rank);
                }
            }
            return context.derived(context.ranks().without(others.toIntArray()));
        });
    }
}
