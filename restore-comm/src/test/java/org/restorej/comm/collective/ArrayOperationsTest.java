package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.HookedCommunicator;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.internal.memory.NativeMemory;

/** Operations on arrays where only threads can show something. */
class ArrayOperationsTest {
    @TestFactory
    Stream<DynamicTest> wrongArgumentsKeepNobodyWaiting() {
        return LocalClusterPrograms.tests(ArrayArgumentPrograms.leavingMessages(), List.of(2, 4, 8));
    }

    @Test
    void leavesNoOffHeapMemoryBehindEachCall() {
        long before = NativeMemory.openBytes();
        LocalCluster.run(1, world -> {
            world.sendReceive(new double[100], 0, new double[100], 0, 1);
            world.broadcast(new double[100_000], 0);
            world.gather(new double[1000], 0);
            world.allGather(new double[1000]);
            world.allToAll(new double[1][1000]);
            assertEquals(before, NativeMemory.openBytes());
            assertThrows(IllegalArgumentException.class, () -> world.broadcast(new char[2], 0));
            assertEquals(before, NativeMemory.openBytes());
            return 0;
        });
    }

    /** An MPI may still write to it. */
    @Test
    void keepsOffHeapMemoryOfAFailedCallUntilItHasShrunk() {
        LocalCluster.run(1, world -> {
            List<MemorySegment> memory = new ArrayList<>();
            AtomicInteger cancelled = new AtomicInteger();
            Communicator failing = withRequests(world, memory, cancelled::incrementAndGet);
            assertThrows(CommunicatorRevokedException.class,
                    () -> failing.sendReceive(new int[2], 0, new int[2], 0, 1));
            assertEquals(2, cancelled.get());
            assertTrue(memory.stream().allMatch(segment -> segment.scope().isAlive()));
            Communicator survivors = world.shrink();
            assertTrue(memory.stream().noneMatch(segment -> segment.scope().isAlive()));
            survivors.close();
            return 0;
        });
    }

    /** Those of the group have nothing to do with who has failed beside it. */
    @Test
    void keepsOffHeapMemoryOfAFailedCallOverTheShrinkOfAGroup() {
        LocalCluster.run(2, world -> {
            List<MemorySegment> memory = new ArrayList<>();
            Communicator failing = withRequests(world, memory, () -> {});
            Communicator group = world.split(world.rank()).orElseThrow();
            assertThrows(CommunicatorRevokedException.class,
                    () -> failing.sendReceive(new int[2], 0, new int[2], 0, 1));
            group.shrink().close();
            assertTrue(memory.stream().allMatch(segment -> segment.scope().isAlive()));
            world.shrink().close();
            assertTrue(memory.stream().noneMatch(segment -> segment.scope().isAlive()));
            group.close();
            return 0;
        });
    }

    @Test
    void keepsOffHeapMemoryOfWhatCannotBeCancelled() {
        LocalCluster.run(1, world -> {
            List<MemorySegment> memory = new ArrayList<>();
            AtomicInteger cancelled = new AtomicInteger();
            Communicator failing = withRequests(world, memory, () -> {
                throw new IllegalStateException("not released: " + cancelled.incrementAndGet());
            });
            IllegalStateException met = assertThrows(IllegalStateException.class,
                    () -> failing.sendReceive(new int[2], 0, new int[2], 0, 1));
            assertEquals("not released: 1", met.getMessage());
            assertEquals("not released: 2", met.getSuppressed()[0].getMessage());
            world.shrink().close();
            assertEquals(2, memory.size());
            assertTrue(memory.stream().allMatch(segment -> segment.scope().isAlive()));
            return 0;
        });
    }

    /** Whose messages fail. */
    private static Communicator withRequests(Communicator world, List<MemorySegment> memory, Runnable cancelled) {
        Request failing = new Request() {
            @Override
            public boolean test() {
                throw new CommunicatorRevokedException("a fake");
            }

            @Override
            public void cancel() {
                cancelled.run();
            }
        };
        return new HookedCommunicator(world, () -> {}) {
            @Override
            public Request iSend(MemorySegment message, int destination, int tag) {
                memory.add(message);
                return failing;
            }

            @Override
            public Request iReceive(MemorySegment buffer, int source, int tag) {
                memory.add(buffer);
                return failing;
            }
        };
    }

    @Test
    void awaitAllRevokesAndCancelsTheRest() {
        LocalCluster.run(1, world -> {
            FakeRequest pending = new FakeRequest(false, new AtomicInteger());
            FakeRequest failing = new FakeRequest(true, new AtomicInteger());
            assertThrows(CommunicatorRevokedException.class, () -> world.awaitAll(pending, failing));
            assertEquals(1, pending.cancelled().get());
            assertTrue(world.isRevoked());
            assertThrows(CommunicatorRevokedException.class, failing::await);
            assertEquals(2, failing.cancelled().get());
            return 0;
        });
    }

    /** Nothing is left pending by a mistake. */
    @Test
    @SuppressWarnings("NullAway") // On purpose.
    void nullIsNamedAndLeavesNothingPending() {
        LocalCluster.run(1, world -> {
            FakeRequest pending = new FakeRequest(false, new AtomicInteger());
            assertEquals("requests must not be null: 1 of 2 are",
                    assertThrows(IllegalArgumentException.class, () -> world.awaitAll(pending, null)).getMessage());
            assertEquals(1, pending.cancelled().get());
            return 0;
        });
        LocalCluster.run(1, world -> {
            String rule = " must be an array of byte, int, long, float or double: ";
            assertEquals("mine" + rule + "mine is null", refused(() -> world.gather(null, 0)));
            return 0;
        });
        LocalCluster.run(1, world -> {
            String rule = " must be an array of byte, int, long, float or double: ";
            assertEquals("sent" + rule + "sent is null",
                    refused(() -> world.sendReceive((int[]) null, 0, new int[1], 0, 1)));
            assertEquals("values" + rule + "values is null", refused(() -> world.broadcast(null, 0)));
            return 0;
        });
    }

    /** Refused before the memory is looked at. */
    @Test
    void longerThanAMessageIsRefused() {
        LocalCluster.run(1, world -> {
            long bytes = Communicator.MAX_MESSAGE_BYTES + 1L;
            MemorySegment tooLong = MemorySegment.ofAddress(Long.BYTES).reinterpret(bytes);
            assertEquals("received.byteSize() must be at most 1073741824: received.byteSize()=1073741825",
                    refused(() -> world.sendReceive(MemorySegment.ofArray(new int[1]), 0, tooLong, 0, 1)));
            return 0;
        });
    }

    private static String refused(Executable call) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    @Test
    void rootsOfABroadcastThatDifferAreRefusedOnAllPes() {
        for (int pes : new int[]{2, 4}) {
            LocalCluster.run(pes, world -> {
                assertEquals("root must be the same on all PEs: root=0 on one, root=1 on another",
                        refused(() -> world.broadcast(new int[10], world.rank() % 2)));
                int[] values = {world.rank() + 7};
                world.broadcast(values, 1);
                assertEquals(8, values[0], "the next broadcast");
                return 0;
            });
        }
    }

    /** Contributions of calls that are over are garbage, as long as the communicator lives. */
    @Test
    void collectiveCallsKeepNoMemory() {
        int values = 100_000;
        int calls = 100;
        LocalCluster.run(2, world -> {
            long before = heapInUse(world);
            for (int call = 0; call < calls; call++) {
                long[] ones = new long[values];
                Arrays.fill(ones, 1);
                world.allReduce(ones, Reduction.SUM);
                assertEquals(2, ones[values - 1]);
            }
            long kept = heapInUse(world) - before;
            long contributed = 2L * calls * values * Long.BYTES;
            assertTrue(kept < contributed / 4, () -> "kept " + kept + " bytes of " + contributed);
            return 0;
        });
    }

    /** After a collection, while no PE allocates. */
    private static long heapInUse(Communicator world) {
        world.barrier();
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        world.barrier();
        return used;
    }

    /** Never completes, and may fail. */
    private record FakeRequest(boolean fails, AtomicInteger cancelled) implements Request {
        @Override
        public boolean test() {
            if (fails) {
                throw new CommunicatorRevokedException("a fake");
            }
            return false;
        }

        @Override
        public void cancel() {
            cancelled.incrementAndGet();
        }
    }

    @Test
    void aCommunicatorThatCannotMakePesFailIsNamed() {
        LocalCluster.run(1, world -> {
            Communicator wrapped = (Communicator) Proxy.newProxyInstance(
                    Communicator.class.getClassLoader(), new Class<?>[]{Communicator.class},
                    (proxy, method, arguments) -> method.invoke(world, arguments));
            String message = String.valueOf(assertThrows(IllegalArgumentException.class,
                    () -> FailureSimulation.of(wrapped)).getMessage());
            assertTrue(message.contains("communicator is a " + wrapped.getClass().getName()), message);
            return 0;
        });
    }
}
