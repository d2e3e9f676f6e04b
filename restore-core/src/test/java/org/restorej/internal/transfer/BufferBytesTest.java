package org.restorej.internal.transfer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Communicator;
import org.restorej.comm.collective.SparseAllToAll;
import org.restorej.comm.local.LocalCluster;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.SegmentPool;

/** What a report reads of buffers while another thread communicates. */
class BufferBytesTest {
    /** Long enough that a loop is compiled, so that a field that isn't volatile is read only once. */
    private static final Duration WATCHING = Duration.ofMillis(500);

    /** Loops as tight as can be: nothing in them makes a thread look again but the field itself. */
    private static Thread watcher(PooledMemory buffers) {
        return Thread.ofPlatform().daemon().start(() -> {
            while (buffers.bytes() == 0) {
            }
        });
    }

    private static boolean exchange(Communicator world) throws InterruptedException {
        SegmentPool pool = new SegmentPool();
        try (Arena arena = Arena.ofShared();
                PooledMemory incoming = pool.open();
                PooledMemory frames = pool.open();
                PooledMemory frame = pool.open()) {
            SparseAllToAll sparse = new SparseAllToAll(world, 0, incoming::allocateOwn);
            PackedSender sender = new PackedSender(world, TransferLimits.DEFAULT, frames);
            PackedReceiver receiver = new PackedReceiver(world, TransferLimits.DEFAULT, frame);
            List<Thread> watchers = world.rank() > 0
                    ? List.of()
                    : Stream.of(incoming, frames, frame).map(BufferBytesTest::watcher).toList();
            Thread.sleep(WATCHING);
            MemorySegment run = arena.allocate(100);
            int other = 1 - world.rank();
            SparseAllToAll.Round round = sparse.begin(List.of(new SparseAllToAll.Message(other, run)));
            while (!round.isDone()) {
                round.poll();
            }
            sender.add(other, new ArrayDeque<>(List.of(run)));
            receiver.add(other, new ArrayDeque<>(List.of(arena.allocate(100))));
            boolean sent = false;
            boolean received = false;
            while (!sent || !received) {
                sent = sender.progress(2);
                received = receiver.progress(2);
            }
            boolean seen = true;
            for (Thread watcher : watchers) {
                seen &= watcher.join(Duration.ofSeconds(20));
            }
            return seen;
        }
    }

    @Test
    void areSeenByAnotherThread() {
        assertTrue(LocalCluster.run(2, BufferBytesTest::exchange).stream().allMatch(seen -> seen),
                "a thread that watches sees buffers that another one has made");
    }
}
