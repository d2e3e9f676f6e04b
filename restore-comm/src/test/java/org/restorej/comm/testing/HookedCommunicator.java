package org.restorej.comm.testing;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.Envelope;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.comm.collective.CollectiveCommunicator;
import org.restorej.comm.Request;

/**
 * A communicator, and all that come of it, which call back before each call that involves other PEs, to count or to
 * fail there, and when a pending agreement is seen to have its answer.
 */
public class HookedCommunicator extends CollectiveCommunicator {
    private final Communicator inner;
    private final Runnable beforeCall;
    private final Runnable onAnswer;

    /** Calls back before calls only. */
    public HookedCommunicator(Communicator inner, Runnable beforeCall) {
        this(inner, beforeCall, () -> {});
    }

    /**
     * Calls back before each call, and when there is an answer.
     *
     * @param inner does the work
     * @param beforeCall called before
     * @param onAnswer called as the last thing before the answer of an agreement is returned
     */
    public HookedCommunicator(Communicator inner, Runnable beforeCall, Runnable onAnswer) {
        this.inner = inner;
        this.beforeCall = beforeCall;
        this.onAnswer = onAnswer;
    }

    private Communicator hooked() {
        beforeCall.run();
        return inner;
    }

    @Override
    public int rank() {
        return inner.rank();
    }

    @Override
    public int size() {
        return inner.size();
    }

    @Override
    public RankMap ranks() {
        return inner.ranks();
    }

    @Override
    public Request iSend(MemorySegment message, int destination, int tag) {
        return hooked().iSend(message, destination, tag);
    }

    @Override
    public Request iSsend(MemorySegment message, int destination, int tag) {
        return hooked().iSsend(message, destination, tag);
    }

    @Override
    public Request iReceive(MemorySegment buffer, int source, int tag) {
        return hooked().iReceive(buffer, source, tag);
    }

    @Override
    public @Nullable Envelope iProbe(int tag) {
        return hooked().iProbe(tag);
    }

    @Override
    public Request iBarrier() {
        return hooked().iBarrier();
    }

    @Override
    public void allGather(MemorySegment own, MemorySegment all) {
        hooked().allGather(own, all);
    }

    @Override
    protected void combine(Object values, Reduction reduction, String elements) {
        if (values instanceof long[] longs) {
            hooked().allReduce(longs, reduction);
        } else {
            hooked().allReduce((double[]) values, reduction);
        }
    }

    @Override
    protected Request iCombine(Object values, Reduction reduction, String elements) {
        return values instanceof long[] longs
                ? hooked().iAllReduce(longs, reduction)
                : hooked().iAllReduce((double[]) values, reduction);
    }

    @Override
    public PendingAgreement iAgree(int flags) {
        return new HookedAgreement(hooked().iAgree(flags), onAnswer);
    }

    private record HookedAgreement(PendingAgreement inner, Runnable onAnswer) implements PendingAgreement {
        @Override
        public boolean test() {
            boolean answered = inner.test();
            if (answered) {
                onAnswer.run();
            }
            return answered;
        }

        @Override
        public Agreement agreement() {
            return inner.agreement();
        }

        @Override
        public void cancel() {
            inner.cancel();
        }
    }

    @Override
    public Agreement agree(int flags) {
        return hooked().agree(flags);
    }

    @Override
    public void revoke() {
        hooked().revoke();
    }

    @Override
    public boolean isRevoked() {
        return inner.isRevoked();
    }

    @Override
    public SortedSet<OriginalRank> failedRanks() {
        return inner.failedRanks();
    }

    @Override
    public Communicator shrink() {
        return new HookedCommunicator(hooked().shrink(), beforeCall, onAnswer);
    }

    @Override
    public Communicator duplicate() {
        return new HookedCommunicator(hooked().duplicate(), beforeCall, onAnswer);
    }

    @Override
    public Optional<Communicator> split(int color) {
        return hooked().split(color).map(group -> new HookedCommunicator(group, beforeCall, onAnswer));
    }

    @Override
    public boolean survivesFailures() {
        return inner.survivesFailures();
    }

    @Override
    public void close() {
        inner.close();
    }
}
