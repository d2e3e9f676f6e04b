package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.restorej.ReStore;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.mpi.rival.DataRange;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.StoreRank;

/** Reads blocks. */
final class StorePull implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final StoreShape shape;
    private final ReStore store;
    private final BlockRanges wanted;
    private final MemorySegment destination;

    /**
     * A read; nothing happens yet.
     *
     * @param store has the data set; closed with this
     * @param requests what each PE wants
     */
    StorePull(StoreShape shape, ReStore store, Function<StoreRank, BlockRanges> requests) {
        this.shape = shape;
        this.store = store;
        wanted = requests.apply(store.rank());
        destination = arena.allocate(Math.max(1, bytes()), 64).asSlice(0, bytes());
    }

    @Override
    public long bytes() {
        return wanted.blockCount() * shape.blockBytes();
    }

    @Override
    public void clear() {
        destination.fill((byte) 0xEE);
    }

    @Override
    public void run() {
        store.pull(wanted, destination);
    }

    @Override
    public void check() {
        for (int run = 0; run < wanted.runCount(); run++) {
            BlockRange blocks = wanted.runs().get(run);
            DataRange bytes = shape.bytesOf(blocks);
            KnownBytes.require(destination.asSlice(wanted.blocksBefore(run) * shape.blockBytes(), bytes.bytes()), 0,
                    bytes.offset(), "blocks " + blocks + " after pull");
        }
    }

    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
