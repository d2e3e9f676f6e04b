package org.restorej.internal.transfer;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import org.restorej.comm.collective.SparseAllToAll;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.Messages;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.SegmentPool;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** The end of a pull that ends in its settlement. */
class TransferFinishTest {
    private static final int TESTS_IN_VAIN = 100;

    /** Its sender waits for no answer, and may have agreed on the end while it is still arriving. */
    @Test
    void aWishOfNoBytesIsReceivedToItsEnd() {
        LocalCluster.run(2, world -> {
            if (world.rank() == 1) {
                send(world);
                return true;
            }
            Channel channel = new Channel(slow(world, new AtomicInteger()), new SegmentPool());
            SparseAllToAll.Round round = channel.sparse().begin();
            Transfer transfer = new Transfer(channel, nothing(), round);
            while (!round.isReceiving()) {
                transfer.serve();
            }
            transfer.finish();
            assertFalse(round.isReceiving(), "the wish has come whole");
            return true;
        });
    }

    private static void send(Communicator world) {
        SparseAllToAll.Round round = new SparseAllToAll(world, 0, Messages::bytes).begin();
        round.add(new SparseAllToAll.Message(0, Messages.bytes(0)));
        while (round.poll() == null && !round.hasDelivered()) {
            Thread.onSpinWait();
        }
    }

    /** What is received is tested in vain for a while. */
    private static Communicator slow(Communicator world, AtomicInteger tests) {
        return (Communicator) Proxy.newProxyInstance(Communicator.class.getClassLoader(),
                new Class<?>[]{Communicator.class}, (_, method, arguments) -> {
                    Object result = method.invoke(world, arguments);
                    return method.getName().equals("iReceive") ? slow((Request) result, tests) : result;
                });
    }

    private static Request slow(Request request, AtomicInteger tests) {
        return new Request() {
            @Override
            public boolean test() {
                return tests.incrementAndGet() > TESTS_IN_VAIN && request.test();
            }

            @Override
            public void cancel() {
                request.cancel();
            }
        };
    }

    /** The payload of a PE that wants nothing. */
    private static Payload nothing() {
        ReplicaRing ring = new ReplicaRing(new Placement(1, 1, 1), 1, 1);
        ChunkGrid grid = new ChunkGrid(ring, 1);
        ReplicaMemory memory = ReplicaMemory.allocate(
                ReplicaMap.placedWithout(ring.placement(), ring, FailedRanks.NONE), 0, 1, grid, new SegmentPool());
        return new ReadPayload(new CheckedMemory(memory, grid), new UniformLayout(0, 1),
                MemorySegment.NULL, null, Arena.ofAuto());
    }
}
