package org.restorej.comm.local;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.internal.program.ProgramAbandonedError;

/**
 * One {@code agree} or {@code shrink} of the surviving PEs, which call these in the same order. It is decided once,
 * when every surviving member has entered it, so all members get the same result. Rounds form a linked list, as
 * collective ones.
 */
final class SurvivorRound {
    private final Context context;
    private final int[] flags;
    private final boolean[] hasEntered;
    private int entered;
    /** All members of lower rank have entered, or are no longer awaited. */
    private int firstAwaited;
    private @Nullable Operation operation;
    private @Nullable SurvivorRound next;
    private @Nullable Context shrunk;
    private boolean someHaveLeft;
    private volatile @Nullable Agreement agreement;

    SurvivorRound(Context context) {
        this.context = context;
        flags = new int[context.size()];
        hasEntered = new boolean[context.size()];
    }

    synchronized SurvivorRound next() {
        if (next == null) {
            next = new SurvivorRound(context);
        }
        return next;
    }

    synchronized void enter(int rank, Operation call, int flagsOfRank) {
        if (operation != null && operation != call) {
            throw new IllegalStateException("all PEs must call agree and shrink in the same order: rank " + rank
                    + " called " + call + ", another " + operation);
        }
        operation = call;
        flags[rank] = flagsOfRank;
        hasEntered[rank] = true;
        entered++;
    }

    /** Decides if every surviving member has entered, and returns whether it is decided. */
    boolean tryDecide() {
        return agreement != null || decide();
    }

    private synchronized boolean decide() {
        if (agreement != null) {
            return true;
        }
        while (firstAwaited < hasEntered.length && (hasEntered[firstAwaited] || context.isGone(firstAwaited)
                || context.hasLeft(firstAwaited))) {
            firstAwaited++;
        }
        if (firstAwaited < hasEntered.length) {
            return false;
        }
        someHaveLeft = false;
        int agreed = -1;
        IntList failed = new IntArrayList();
        for (int rank = 0; rank < hasEntered.length; rank++) {
            if (context.isGone(rank)) {
                failed.add(rank);
            } else if (context.hasLeft(rank)) {
                someHaveLeft = true;
                agreed = 0;
            }
            boolean counts = hasEntered[rank]
                    && (!context.member(rank).hasFailed() || context.run().network().countsFlagsOfTheFailed());
            agreed &= counts ? flags[rank] : -1;
        }
        if (operation == Operation.SHRINK && !someHaveLeft) {
            shrunk = context.derived(context.ranks().without(failed.toIntArray()));
        }
        agreement = new Agreement(agreed, !failed.isEmpty());
        context.signalMembers();
        return true;
    }

    /** The result, once decided. */
    Agreement agreement() {
        Agreement decided = agreement;
        if (decided == null) {
            throw new IllegalStateException("the PEs have not agreed yet: " + this);
        }
        return decided;
    }

    /** The communicator of the survivors, once decided. */
    synchronized Context shrunk() {
        if (someHaveLeft) {
            throw new ProgramAbandonedError();
        }
        return Objects.requireNonNull(shrunk);
    }

    @Override
    public synchronized String toString() {
        return operation + " that " + entered + " of " + hasEntered.length + " PEs have entered";
    }
}
