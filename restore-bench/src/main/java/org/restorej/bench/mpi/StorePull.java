package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.restorej.ReStore;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.StoreRank;

/** Reads a run of blocks, by pull or by push. */
final class StorePull implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final StoreShape shape;
    private final ReStore store;
    private final Function<StoreRank, BlockRange> requests;
    private final BlockRange wanted;
    private final boolean push;
    private final MemorySegment destination;

    /**
     * A read; nothing happens yet.
     *
     * @param store has the data set; closed with this
     * @param requests what each PE wants
     * @param push whether by {@code push}, without requests
     */
    StorePull(StoreShape shape, ReStore store, Function<StoreRank, BlockRange> requests, boolean push) {
        this.shape = shape;
        this.store = store;
        this.requests = requests;
        this.push = push;
        wanted = requests.apply(store.rank());
        destination = arena.allocate(Math.max(1, bytes()), 64).asSlice(0, bytes());
    }

    @Override
    public long bytes() {
        return shape.bytesOf(wanted).bytes();
    }

    @Override
    public void clear() {
        destination.fill((byte) 0xEE);
    }

    @Override
    public void run() {
        if (push) {
            store.push(rank -> BlockRanges.of(requests.apply(rank)), destination);
        } else {
            store.pull(BlockRanges.of(wanted), destination);
        }
    }

    @Override
    public void check() {
        KnownBytes.require(destination, 0, shape.bytesOf(wanted).offset(), "blocks " + wanted + " after pull");
    }

    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
