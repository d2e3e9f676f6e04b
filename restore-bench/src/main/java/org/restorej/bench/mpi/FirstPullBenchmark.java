package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Reduction;

/**
 * The first pull of a JVM's life: recovery is cold. Measured once in a job, so the job is run several times; what it
 * has brought is checked afterwards, like everything else, but not before. Beside it stands how much memory the submit
 * took that came before, the first of the JVM's life, too.
 */
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(0)
public class FirstPullBenchmark extends StoreBenchmark {
    private long memoryBytes;
    private long replicaBytes;

    /** What JMH writes down beside the time: of the PE that has most. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Memory {
        /** By how much the memory of a process grew at most from before its first submit, its own data apart. */
        public long memoryBytes;
        /** What the replicas take of it. */
        public long replicaBytes;
    }

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        ReStore store = shape.store(ranks.communicator());
        BlockRange mine = shape.share(ranks.rank() + 1);
        long[] most = new long[2];
        try (Arena arena = Arena.ofShared()) {
            MemorySegment source = shape.source(arena, mine);
            long before = ProcessMemory.residentBytes();
            store.submit(mine, source);
            most[0] = ProcessMemory.peakBytes() - before;
            most[1] = store.replicaBytes();
        }
        ranks.communicator().allReduce(most, Reduction.MAX);
        memoryBytes = most[0];
        replicaBytes = most[1];
        return new StorePull(shape, store, rank -> BlockRanges.of(PullPattern.SHARE.request(shape, rank.value())),
                false);
    }

    /** The first must be the measured one. */
    @Override
    boolean isCold() {
        return true;
    }

    /** Tells JMH of the memory. */
    @TearDown(Level.Iteration)
    public void tell(Memory memory) {
        memory.memoryBytes = memoryBytes;
        memory.replicaBytes = replicaBytes;
    }
}
