package org.restorej.bench.mpi;

import java.util.Arrays;
import org.restorej.balance.LoadBalancer;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** Writes the number of the iteration into all rows, and checkpoints them. */
final class LoopCheckpoint implements Exchange {
    private final StoreShape shape;
    private final ReplicatedArray<long[]> array;
    private final CheckpointLoop loop;
    private final LocalRows<long[]> rows;

    /** A loop; its first checkpoint is made here. Collective. */
    LoopCheckpoint(StoreShape shape, Communicator communicator) {
        this.shape = shape;
        int longs = Math.toIntExact(StoreShape.BLOCK_BYTES / Long.BYTES);
        array = ReplicatedArray.ofLongs(shape.builder(communicator), shape.blocks(), longs);
        loop = new CheckpointLoop(communicator, LoadBalancer.equal(communicator.size(), shape.blocks()),
                CheckpointInterval.iterations(1));
        rows = loop.keep(array.local(mine -> new long[Math.toIntExact(mine.blockCount()) * longs]));
    }

    @Override
    public long bytes() {
        return rows.count() * StoreShape.BLOCK_BYTES;
    }

    @Override
    public void clear() {
        run();
    }

    @Override
    public void run() {
        loop.run(loop.iteration() + 1, (comm, iteration) -> Arrays.fill(rows.values(), iteration));
    }

    /** Each PE pulls the rows of another, which have the number of the iteration that was checkpointed last. */
    @Override
    public void check() {
        BlockRange other = shape.share(array.store().rank().value() + 1);
        long[] found = array.pull(BlockRanges.of(other));
        long last = loop.iteration() - 1;
        if (Arrays.stream(found).anyMatch(number -> number != found[0]) || found[0] > last || found[0] < last - 1) {
            throw new WrongBytesException("rows " + other + " after iteration " + last + " begin with " + found[0]);
        }
    }

    @Override
    public void close() {
        loop.close();
        array.close();
    }
}
