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
 * One of the collective calls that all PEs of a communicator make in the same order. Each PE leaves a contribution;
 * when all have, each reads all of them. Rounds form a chain that the PEs walk along, so a finished one is garbage.
 */
final class CollectiveRound {
    /**
     * What all PEs must agree on.
     *
     * @param operation the call
     * @param shape length, type and reduction
     */
    record Call(Operation operation, String shape, long length) {
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

    /** Enters the round, and returns whether the others should look at it. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
    synchronized boolean enter(int rank, Call call, @Nullable Object contribution) {
        if (firstCall == null) {
            firstCall = call;
            firstRank = rank;
        } else if (!firstCall.equals(call)) {
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

    /** A contribution, once the round is complete. */
    Object contribution(int rank) {
        return Objects.requireNonNull(contributions[rank]);
    }

    /** A PE's own copy of an array of longs or doubles. */
    static Object copyOf(Object array) {
        return array instanceof long[] longs ? longs.clone() : ((double[]) array).clone();
    }

    /** Brings what the contributed arrays come to into an array of a PE; computed by the first who asks. */
    synchronized void copyReduced(Reduction reduction, Object values) {
        Object all = reduced;
        if (all == null) {
            all = copyOf(contribution(0));
            // By ascending rank: floating-point sums depend on the order.
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

    /** The communicator that duplicates the one of this round: the same for all who ask. */
    synchronized Context duplicateOf(Context context) {
        if (duplicate == null) {
            duplicate = context.derived(context.ranks());
        }
        return duplicate;
    }

    /** As {@link #duplicateOf}, for an attempt of a program. */
    synchronized Context attemptOf(Context context) {
        if (duplicate == null) {
            duplicate = new Context(context.run(), context.ranks(), new AttemptState());
        }
        return duplicate;
    }

    /** The communicator of those who contributed this color to this round: the same for all who ask. */
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
