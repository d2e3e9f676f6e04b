package org.restorej.comm.collective;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.settlement.Settlement;

/**
 * Base class of all transports. Implements the operations on arrays by messages, gathers and reductions. An exception
 * in such an operation revokes the communicator, so that no PE waits for this one. That includes a full heap, so
 * nothing is allocated before the guards below.
 */
public abstract class CollectiveCommunicator implements Communicator {
    protected CollectiveCommunicator() {}

    /**
     * Combines arrays of all PEs, in place, as {@link #allReduce(long[], Reduction)}: arrays of {@code long}, or sums
     * of arrays of {@code double}.
     *
     * @param values of an operation that has checked its arguments
     * @param elements type of the original elements, for messages
     */
    protected abstract void combine(Object values, Reduction reduction, String elements);

    /** Starts to {@link #combine}. */
    protected abstract Request iCombine(Object values, Reduction reduction, String elements);

    /** Adds one value of each PE. */
    protected double sum(double value) {
        double[] values = {value};
        combine(values, Reduction.SUM, Reductions.DOUBLES);
        return values[0];
    }

    /**
     * A request whose result is passed to the application once, when it has completed.
     *
     * @param takeResult passes the result
     */
    protected static Request withResult(Request pending, Runnable takeResult) {
        return new ResultRequest(pending, takeResult);
    }

    @Override
    public void awaitAll(Collection<? extends Request> requests) {
        Waiting.awaitAll(this, requests);
    }

    @Override
    public <A> void sendReceive(A sent, int destination, A received, int source, int tag) {
        try {
            SendReceive.arrays(this, sent, destination, received, source, tag);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public void sendReceive(MemorySegment sent, int destination, MemorySegment received, int source, int tag) {
        try {
            SendReceive.segments(this, sent, destination, received, source, tag);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public Request iAllReduce(long[] values, Reduction reduction) {
        return beginReduction(values, reduction);
    }

    @Override
    public Request iAllReduce(double[] values, Reduction reduction) {
        return beginReduction(values, reduction);
    }

    @Override
    public Request iAllReduce(int[] values, Reduction reduction) {
        return beginReduction(values, reduction);
    }

    @Override
    public Request iAllReduce(float[] values, Reduction reduction) {
        return beginReduction(values, reduction);
    }

    private Request beginReduction(Object values, Reduction reduction) {
        try {
            MessageArguments.checkAllReduce(values, reduction);
            return Reductions.begin(this, values, reduction);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public void allReduce(long[] values, Reduction reduction) {
        reduce(values, reduction);
    }

    @Override
    public void allReduce(double[] values, Reduction reduction) {
        reduce(values, reduction);
    }

    private void reduce(Object values, Reduction reduction) {
        try {
            MessageArguments.checkAllReduce(values, reduction);
            Reductions.run(this, values, reduction);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public long allReduce(long value, Reduction reduction) {
        try {
            long[] values = {value};
            allReduce(values, reduction);
            return values[0];
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public double allReduce(double value, Reduction reduction) {
        try {
            MessageArguments.checkGiven("reduction", reduction);
            return reduction == Reduction.SUM
                    ? Reductions.normal(sum(value))
                    : Reductions.extreme(allReduce(Reductions.key(value, reduction), reduction), reduction);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public void reduce(long[] values, Reduction reduction, int root) {
        reduceTo(root, values, reduction);
    }

    @Override
    public void reduce(double[] values, Reduction reduction, int root) {
        reduceTo(root, values, reduction);
    }

    private void reduceTo(int root, Object values, Reduction reduction) {
        try {
            MessageArguments.checkRank("root", root, size());
            MessageArguments.checkAllReduce(values, reduction);
            Reductions.run(this, rank() == root ? values : Reductions.copyOf(values), reduction);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public void broadcast(Object values, int root) {
        try {
            Broadcast.broadcast(this, values, root);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public <A> A @Nullable [] gather(A mine, int root) {
        try {
            return ArrayGather.toOne(this, mine, root);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public <A> A[] allGather(A mine) {
        try {
            return ArrayGather.toAll(this, mine);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }

    @Override
    public <A> A[] allToAll(A[] messages) {
        try {
            return ArrayAllToAll.allToAll(this, messages);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(this, met);
        }
    }
}
