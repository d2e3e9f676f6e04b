package org.restorej.storm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Agreement;
import org.restorej.comm.Communicator;
import org.restorej.comm.Envelope;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

/** A communicator, and all that come of it, with a {@link Mine} before each call that involves other PEs. */
record MinedCommunicator(Communicator inner, Mine mine) implements Communicator {
    private Communicator mined() {
        mine.step();
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
    public Request send(MemorySegment message, int destination, int tag) {
        return mined().send(message, destination, tag);
    }

    @Override
    public Request sendSynchronous(MemorySegment message, int destination, int tag) {
        return mined().sendSynchronous(message, destination, tag);
    }

    @Override
    public Request receive(MemorySegment buffer, int source, int tag) {
        return mined().receive(buffer, source, tag);
    }

    @Override
    public @Nullable Envelope probe(int tag) {
        return mined().probe(tag);
    }

    @Override
    public Request barrier() {
        return mined().barrier();
    }

    @Override
    public void allGather(MemorySegment own, MemorySegment all) {
        mined().allGather(own, all);
    }

    @Override
    public void allReduce(long[] values, Reduction reduction) {
        mined().allReduce(values, reduction);
    }

    @Override
    public void allReduce(double[] values, Reduction reduction) {
        mined().allReduce(values, reduction);
    }

    @Override
    public Agreement agree(int flags) {
        return mined().agree(flags);
    }

    @Override
    public void revoke() {
        mined().revoke();
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
        return new MinedCommunicator(mined().shrink(), mine);
    }

    @Override
    public Communicator duplicate() {
        return new MinedCommunicator(mined().duplicate(), mine);
    }

    @Override
    public Optional<Communicator> split(int color) {
        return mined().split(color).map(group -> new MinedCommunicator(group, mine));
    }

    @Override
    public boolean allowsConcurrentUse() {
        return inner.allowsConcurrentUse();
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
