package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.Request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.comm.testing.Messages;

/** Sparse all-to-alls on PEs that are threads. */
class SparseAllToAllTest {
    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(SparseAllToAllPrograms.ALL, List.of(1, 2, 3, 8));
    }

    /** Where only the receiver still waits for it, nothing else says that the memory is in use. */
    @Test
    void tellsThatAMessageIsBeingReceived() {
        LocalCluster.run(1, world -> {
            AtomicBoolean arrives = new AtomicBoolean();
            SparseAllToAll.Round round = new SparseAllToAll(late(world, arrives), 0, Messages::bytes).begin();
            assertFalse(round.isReceiving());
            round.add(new SparseAllToAll.Message(0, Messages.number(7)));
            assertNull(round.poll());
            assertTrue(round.isReceiving());
            arrives.set(true);
            SparseAllToAll.Message message = round.poll();
            assertEquals(7, Messages.numberIn(Objects.requireNonNull(message).bytes()));
            assertFalse(round.isReceiving());
            return 0;
        });
    }

    @Test
    void cancelsTheReceiveAlsoWhenASendCannotBeCancelled() {
        LocalCluster.run(1, world -> {
            List<String> cancelled = new ArrayList<>();
            Communicator stuck = withRequests(world, (operation, _) -> new Request() {
                @Override
                public boolean test() {
                    return false;
                }

                @Override
                public void cancel() {
                    cancelled.add(operation);
                    throw new IllegalStateException(operation);
                }
            });
            SparseAllToAll.Round round = new SparseAllToAll(stuck, 0, Messages::bytes).begin();
            round.add(new SparseAllToAll.Message(0, Messages.number(7)));
            assertNull(round.poll());
            assertThrows(IllegalStateException.class, round::abort);
            assertEquals(List.of("iSsend", "iReceive"), cancelled);
            return 0;
        });
    }

    /** Its receives end only from some time on. */
    private static Communicator late(Communicator world, AtomicBoolean arrives) {
        return withRequests(world, (operation, request) -> new Request() {
            @Override
            public boolean test() {
                return (!operation.equals("iReceive") || arrives.get()) && request.test();
            }

            @Override
            public void cancel() {
                request.cancel();
            }
        });
    }

    /** Each of its messages is another one in the place of what the operation of this name has begun. */
    private static Communicator withRequests(Communicator world, BiFunction<String, Request, Request> requests) {
        return (Communicator) Proxy.newProxyInstance(Communicator.class.getClassLoader(),
                new Class<?>[]{Communicator.class}, (_, method, arguments) -> {
                    Object result = method.invoke(world, arguments);
                    return result instanceof Request request ? requests.apply(method.getName(), request) : result;
                });
    }
}
