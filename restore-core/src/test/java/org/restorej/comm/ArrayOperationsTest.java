package org.restorej.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.local.LocalCluster;
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
