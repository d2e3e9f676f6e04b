package org.restorej.internal.settlement;

import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.Reduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;

/** Parts that are done while others still need their PE: PE 0 asks PE 1, whose own part is done at once. */
class ServingSettlementTest {
    private static final int QUESTION = 1;
    private static final int ANSWER = 2;

    /** PE 1 answers; what it is told to throw, it throws instead. */
    private static final class Server implements Underway, AutoCloseable {
        private final Communicator world;
        private final boolean throwsWhenAsked;
        private final boolean throwsAtTheEnd;
        private final Arena arena = Arena.ofShared();
        private final List<String> done = new ArrayList<>();

        Server(Communicator world, boolean throwsWhenAsked, boolean throwsAtTheEnd) {
            this.world = world;
            this.throwsWhenAsked = throwsWhenAsked;
            this.throwsAtTheEnd = throwsAtTheEnd;
        }

        @Override
        public boolean isNeeded() {
            return world.rank() == 1;
        }

        @Override
        public void serve() {
            if (world.iProbe(QUESTION) != null) {
                if (throwsWhenAsked) {
                    throw new IllegalStateException("a mistake of a server");
                }
                world.iReceive(arena.allocate(8), 0, QUESTION).await();
                world.iSend(arena.allocateFrom(ValueLayout.JAVA_LONG, 42L), 0, ANSWER).await();
                done.add("answered");
            }
        }

        @Override
        public void finish() {
            done.add("finished");
            if (throwsAtTheEnd) {
                throw new IllegalStateException("a mistake at the end");
            }
        }

        @Override
        public void abort() {
            done.add("given up");
        }

        Outcome<Long> part() {
            if (world.rank() != 0) {
                return new Outcome<>(1 << 5, 0L);
            }
            world.iSend(arena.allocate(8), 1, QUESTION).await();
            var answer = arena.allocate(ValueLayout.JAVA_LONG);
            world.iReceive(answer, 1, ANSWER).await();
            return new Outcome<>(1 << 5, answer.get(ValueLayout.JAVA_LONG, 0));
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @Test
    void whoIsDoneServesTheOthersUntilAllAre() {
        LocalCluster.run(3, world -> {
            try (Server server = new Server(world, false, false)) {
                Outcome<Long> outcome = new Meeting().at(world).settle(server, "a part", server::part);
                assertEquals(1 << 5, outcome.flags());
                assertEquals(world.rank() == 0 ? 42L : 0L, outcome.result());
                assertEquals(world.rank() == 1 ? List.of("answered", "finished") : List.of(), server.done);
            }
            return true;
        });
    }

    @Test
    void whoCannotServeWakesThoseWhoWait() {
        LocalCluster.run(3, world -> {
            try (Server server = new Server(world, true, false)) {
                RuntimeException met = assertThrows(RuntimeException.class,
                        () -> new Meeting().at(world).settle(server, "a part", server::part));
                assertEquals(world.rank() == 1
                        ? "a mistake of a server"
                        : "a part failed: original rank 1 has thrown an exception of its own, and the communicator is "
                                + "revoked",
                        met.getMessage());
                assertEquals(world.rank() == 1 ? Thrower.THIS_PE : Thrower.ANOTHER_PE, Thrower.of(met));
                assertTrue(server.done.contains("given up"), server.done::toString);
            }
            return true;
        });
    }

    @Test
    void whatIsMetWhenAllAreDoneUndoesNothing() {
        LocalCluster.run(3, world -> {
            try (Server server = new Server(world, false, true)) {
                assertEquals(world.rank() == 0 ? 42L : 0L,
                        new Meeting().at(world).settle(server, "a part", server::part).result());
                assertEquals(world.rank() == 1 ? List.of("answered", "finished", "given up") : List.of(), server.done);
            }
            assertThrows(CommunicatorRevokedException.class,
                    () -> new Meeting().at(world).settle("the next part", () -> world.allReduce(1L, Reduction.SUM)));
            return true;
        });
    }
}
