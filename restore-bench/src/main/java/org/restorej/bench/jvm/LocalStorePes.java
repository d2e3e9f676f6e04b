package org.restorej.bench.jvm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.restorej.ReStore;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;

/**
 * PEs on threads that wait for the next operation, so that measurements don't include the start of a cluster. A PE that
 * fails breaks the barrier, which ends the waits of the others. Not thread-safe.
 */
final class LocalStorePes implements AutoCloseable {
    private static final int BLOCK_BYTES = 64;
    private static final int MAX_REPLICAS = 3;

    private enum Order {
        SUBMIT, PULL, CHECK, END
    }

    private final int peCount;
    private final long bytesPerPe;
    private final CyclicBarrier barrier;
    private final FutureTask<Integer> run;
    private volatile Order order = Order.SUBMIT;

    private LocalStorePes(int peCount, long bytesPerPe) {
        this.peCount = peCount;
        this.bytesPerPe = bytesPerPe;
        barrier = new CyclicBarrier(peCount + 1);
        run = new FutureTask<>(() -> LocalCluster.run(peCount, this::program).size());
    }

    /** PEs with an empty store. */
    static LocalStorePes start(int peCount, long bytesPerPe) {
        LocalStorePes pes = new LocalStorePes(peCount, bytesPerPe);
        Thread.ofPlatform().daemon().name("local-cluster").start(pes.run);
        return pes;
    }

    void submit() {
        command(Order.SUBMIT);
    }

    void pull() {
        command(Order.PULL);
    }

    /** Fails unless the last pull has brought what was submitted. */
    void check() {
        command(Order.CHECK);
    }

    private void command(Order next) {
        order = next;
        await();
        await();
    }

    private void await() {
        try {
            barrier.await();
        } catch (BrokenBarrierException broken) {
            throw new IllegalStateException("a PE has failed", failure(broken));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private Throwable failure(BrokenBarrierException broken) {
        try {
            run.get();
            return broken;
        } catch (ExecutionException failure) {
            return failure;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return interrupted;
        }
    }

    private Integer program(Communicator world) throws BrokenBarrierException, InterruptedException {
        long blocksPerPe = bytesPerPe / BLOCK_BYTES;
        BlockRange mine = BlockRange.of(world.rank() * blocksPerPe, blocksPerPe);
        BlockRange other = BlockRange.of((world.rank() + 1) % peCount * blocksPerPe, blocksPerPe);
        boolean done = false;
        try (Arena arena = Arena.ofShared();
                ReStore store = ReStore.builder(world).blocks(peCount * blocksPerPe).blockSizeBytes(BLOCK_BYTES)
                        .replication(Math.min(MAX_REPLICAS, peCount)).build()) {
            MemorySegment source = arena.allocate(blocksPerPe * BLOCK_BYTES, 64);
            MemorySegment destination = arena.allocate(blocksPerPe * BLOCK_BYTES, 64);
            KnownBytes.fill(source, 0, mine.first() * BLOCK_BYTES);
            while (!done) {
                barrier.await();
                switch (order) {
                    case SUBMIT -> store.submit(mine, source);
                    case PULL -> store.pull(BlockRanges.of(other), destination);
                    case CHECK -> KnownBytes.require(destination, 0, other.first() * BLOCK_BYTES, "pulled blocks");
                    case END -> done = true;
                }
                barrier.await();
            }
        } finally {
            if (!done) {
                barrier.reset();
            }
        }
        return world.rank();
    }

    @Override
    public void close() {
        if (!run.isDone()) {
            command(Order.END);
        }
    }
}
