package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.ReplicatedStreams;
import org.restorej.testing.Deep;

/** A part that is longer than most, of a program that has no memory for another copy of it. */
class BigPartTest {
    private static final long POLL_NANOS = 500_000;
    private static final long BUFFER_BYTES = 64L << 20;

    @Test
    void aPartOf64MebibytesIsInMemoryOnceBesideItsReplicas() {
        assertComesBack(1 << 23);
    }

    @Deep
    @Test
    void aPartOfAGibibyteIsInMemoryOnceBesideItsReplicas() {
        assertComesBack(1 << 27);
    }

    private static void assertComesBack(int numbers) {
        long before = NativeMemory.openBytes();
        long bytes = 8L * numbers;
        AtomicLong peak = new AtomicLong();
        List<PeOutcome<Integer>> outcomes;
        try (LocalCluster cluster = LocalCluster.builder(2).timeout(Duration.ofMinutes(5)).build()) {
            outcomes = cluster.run(world -> run(world, numbers, peak));
        }
        assertEquals(List.of(1), PeOutcome.values(outcomes), outcomes::toString);
        long limit = bytes + bytes / 8 + 2 * bytes + BUFFER_BYTES;
        assertTrue(peak.get() - before <= limit, () -> peak.get() - before + " bytes, not more than " + limit);
    }

    private static int run(Communicator world, int numbers, AtomicLong peak) {
        int[] read = {0};
        try (ReplicatedStreams streams = ReplicatedStreams.of(ReStore.builder(world).replication(2), 1);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(2, 1),
                        CheckpointInterval.iterations(1))) {
            loop.keep(streams.local(part -> {}, (part, out) -> write(numbers, out), (part, in) -> {
                read(numbers, in);
                read[0]++;
            }));
            Thread watch = Thread.ofPlatform().daemon().start(() -> watch(peak));
            loop.run(0, (comm, iteration) -> {});
            watch.interrupt();
            loop.evaluate(comm -> {
                if (comm.size() == 2) {
                    FailureSimulation.of(comm).fail(0);
                }
                return comm.allReduce(1L, Reduction.SUM);
            });
        }
        return read[0];
    }

    private static void watch(AtomicLong peak) {
        while (!Thread.currentThread().isInterrupted()) {
            peak.accumulateAndGet(NativeMemory.openBytes(), Math::max);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static void write(int numbers, OutputStream out) throws IOException {
        DataOutputStream data = new DataOutputStream(new BufferedOutputStream(out));
        for (int i = 0; i < numbers; i++) {
            data.writeDouble(i * 0.5);
        }
        data.flush();
    }

    private static void read(int numbers, InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(new BufferedInputStream(in));
        for (int i = 0; i < numbers; i++) {
            if (data.readDouble() != i * 0.5) {
                throw new IOException("number " + i);
            }
        }
        if (data.read() >= 0) {
            throw new IOException("more than " + numbers + " numbers");
        }
    }
}
