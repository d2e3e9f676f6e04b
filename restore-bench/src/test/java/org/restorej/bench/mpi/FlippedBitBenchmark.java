package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;

/** Pulls from a store into which rank 0 has submitted one wrong bit, in the middle of its share. */
public class FlippedBitBenchmark extends StoreBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        ReStore store = shape.store(ranks.communicator());
        BlockRange mine = shape.share(ranks.rank());
        try (Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(bytes, 64);
            shape.fill(source, mine);
            if (ranks.rank() == 0) {
                byte right = source.get(ValueLayout.JAVA_BYTE, bytes / 2);
                source.set(ValueLayout.JAVA_BYTE, bytes / 2, (byte) (right ^ 1));
            }
            store.submit(mine, source);
        }
        return new StorePull(shape, store, shape.share(ranks.rank() + 1));
    }
}
