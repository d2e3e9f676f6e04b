package org.restorej.redset.internal.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.RankMap;
import org.restorej.comm.Request;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.comm.local.LocalCluster;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.internal.settlement.Meeting;
import org.restorej.redset.RedsetException;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.coding.PieceMessages;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.sets.ProtectionSettings;

/** How ranks come to one opinion when something fails on one of them, and when memory is freed. */
class RedsetChannelTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    @TempDir
    private Path folder = Path.of("");

    private static void run(PeProgram<Boolean> program) {
        try (LocalCluster cluster = LocalCluster.builder(3).timeout(TIMEOUT).build()) {
            PeOutcome.values(cluster.run(program));
        }
    }

    @Test
    void memoryIsFreedOnlyAfterTheSurvivorsHaveShrunk() {
        run(world -> {
            RedsetChannel channel = new RedsetChannel(world.duplicate());
            MemorySegment memory = channel.memory(5000);
            FailureSimulation.of(world).fail(1);
            assertThrows(ProcessFailedException.class, () -> channel.step("test", () -> channel.min(1)));
            channel.close();
            assertTrue(memory.scope().isAlive(), "before shrinking");
            world.revoke();
            Communicator survivors = world.shrink();
            new RedsetChannel(survivors.duplicate()).close();
            assertFalse(memory.scope().isAlive(), "after shrinking");
            return true;
        });
    }

    /** Messages of a channel, whose memory is remembered. */
    private record RememberedMemory(RedsetChannel channel, List<MemorySegment> used) implements PieceMessages {
        @Override
        public MemorySegment memory(long bytes) {
            used.add(channel.memory(bytes));
            return used.getLast();
        }

        @Override
        public Request send(MemorySegment piece, int process, int tag) {
            return channel.send(piece, process, tag);
        }

        @Override
        public Request receive(MemorySegment piece, int process, int tag) {
            return channel.receive(piece, process, tag);
        }

        @Override
        public void await(Request request) {
            channel.await(request);
        }
    }

    @Test
    void memoryOfLongMessagesIsFreedWhenTheyAreRead() {
        int longBytes = 10 << 20;
        run(world -> {
            SetMembers members = new SetMembers(List.of(0, 1, 2), List.of(0, 1, 2), world.rank());
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                RememberedMemory messages = new RememberedMemory(channel, new ArrayList<>());
                MemorySegment usual = messages.memory(100);
                channel.step("test", () -> {
                    for (byte[] told : members.gather(messages, new byte[50])) {
                        assertEquals(50, told.length);
                    }
                });
                assertTrue(messages.used().getLast().scope().isAlive(), "memory of usual messages is kept");
                assertFalse(usual.scope().isAlive(), "there is one memory at a time");
                channel.step("test", () -> {
                    for (byte[] told : members.gather(messages, new byte[longBytes])) {
                        assertEquals(longBytes, told.length);
                    }
                });
                MemorySegment longest = messages.used().stream()
                        .max(Comparator.comparingLong(MemorySegment::byteSize)).orElseThrow();
                assertTrue(longest.byteSize() > 3L * longBytes);
                assertFalse(longest.scope().isAlive());
            }
            return true;
        });
    }

    private static boolean oneStep(RedsetChannel channel) {
        channel.step("a step", () -> channel.min(1));
        return true;
    }

    /** The others have a further step, or not; the rank that threw goes on with the channel, or closes it. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void whatARankThrowsBetweenTwoStepsIsMissedByNobody(boolean furtherStep, boolean goesOn) {
        run(world -> {
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                Supplier<Boolean> operation = () -> {
                    oneStep(channel);
                    if (world.rank() == 1) {
                        throw new StackOverflowError("thrown on purpose");
                    }
                    return !furtherStep || oneStep(channel);
                };
                if (world.rank() == 1) {
                    assertThrows(StackOverflowError.class, () -> channel.operation(operation));
                } else if (furtherStep) {
                    assertThrows(CommunicatorRevokedException.class, () -> channel.operation(operation));
                } else {
                    channel.operation(operation);
                }
                // What the ranks do elsewhere, such as a loop, isn't disturbed.
                assertTrue(new Meeting().at(world).settle("something else", () -> true));
                if (goesOn) {
                    assertThrows(CommunicatorRevokedException.class,
                            () -> channel.operation(() -> oneStep(channel)));
                }
            }
            try (RedsetChannel another = new RedsetChannel(world.duplicate())) {
                return another.operation(() -> oneStep(another));
            }
        });
    }

    /** Its processes may not have shrunk. */
    @Test
    void memoryIsKeptWhileOthersMakeChannels() {
        RankMap all = RankMap.identity(4);
        Arena arena = Arena.ofShared();
        RetiredMemory.add(all.without(0, 1), List.of(arena));
        RetiredMemory.free(all.without(2, 3));
        RetiredMemory.free(all);
        assertTrue(arena.scope().isAlive(), "beside other groups");
        RetiredMemory.free(all.without(0, 1, 2));
        assertFalse(arena.scope().isAlive(), "after shrinking");
    }

    @Test
    void ownMemoryIsTheSameUntilMoreIsAskedForAndEndsWithTheChannel() {
        run(world -> {
            RedsetChannel channel = new RedsetChannel(world.duplicate());
            MemorySegment first = channel.memory(5000);
            assertEquals(first.address(), channel.memory(100).address());
            assertEquals(100, channel.memory(100).byteSize());
            MemorySegment more = channel.memory(3 << 20);
            assertFalse(first.scope().isAlive(), "replaced");
            assertTrue(more.scope().isAlive(), "in use");
            channel.close();
            assertFalse(more.scope().isAlive(), "closed");
            return true;
        });
    }

    @Test
    void ownMemoryOutlivesAFailureUntilTheSurvivorsHaveShrunk() {
        run(world -> {
            RedsetChannel channel = new RedsetChannel(world.duplicate());
            MemorySegment memory = channel.memory(100);
            FailureSimulation.of(world).fail(1);
            assertThrows(ProcessFailedException.class, () -> channel.step("test", () -> channel.min(1)));
            channel.close();
            assertTrue(memory.scope().isAlive(), "before shrinking");
            world.revoke();
            new RedsetChannel(world.shrink().duplicate()).close();
            assertFalse(memory.scope().isAlive(), "after shrinking");
            return true;
        });
    }

    @Test
    void everybodyGetsWhatEverybodyTellsHoweverLongItIs() {
        run(world -> {
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                SetMembers members = new SetMembers(List.of(0, 1, 2), List.of(0, 1, 2), world.rank());
                for (int longest : new int[]{0, 507, 508, 509, 2043, 2044, 2045, 100_000}) {
                    byte[] mine = content(world.rank(), longest);
                    channel.step("test", () -> {
                        requireContents(channel.allGather(mine), longest);
                        requireContents(members.gather(channel, mine), longest);
                    });
                }
            }
            return true;
        });
    }

    private static byte[] content(int rank, int longest) {
        byte[] content = new byte[rank == 1 ? longest : Math.min(longest, rank)];
        new Random(rank).nextBytes(content);
        return content;
    }

    private static void requireContents(List<byte[]> all, int longest) {
        for (int rank = 0; rank < all.size(); rank++) {
            assertArrayEquals(content(rank, longest), all.get(rank), "of rank " + rank + ", longest " + longest);
        }
    }

    @Test
    void whatFailsBeforeTheLastMessageIsToldAfterIt() {
        run(world -> {
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                assertSays(assertThrows(RedsetException.class, () -> failThenTell(channel, () -> {
                    throw new IOException("no such disk");
                })), "on rank 1: no such disk");
                assertSays(assertThrows(RedsetException.class, () -> failThenTell(channel, () -> {
                    throw new UncheckedIOException(new IOException("stale directory"));
                })), "on rank 1: stale directory");
                assertSays(assertThrows(IllegalArgumentException.class, () -> failThenTell(channel, () -> {
                    throw new IllegalArgumentException("no such scheme");
                })), "on rank 1: no such scheme");
            }
            return true;
        });
    }

    /** Rank 1 fails first, and all tell one another something all the same. */
    private static void failThenTell(RedsetChannel channel, RedsetChannel.Computation<Boolean> failing) {
        channel.step("test", () -> {
            PostponedFailure failure = new PostponedFailure();
            boolean done = failure.attemptLocally(() -> channel.rank() == 1 ? failing.run() : true).orElse(false);
            assertEquals(channel.rank() != 1, done);
            assertEquals(done, failure.attempt(() -> true).isPresent(), "nothing more is attempted");
            assertEquals(3, channel.allGather(new byte[1]).size());
            failure.throwIfAny();
        });
    }

    @Test
    void aDirectoryThatCanNotBeListedOnOneRankIsAnErrorOnAll() {
        run(world -> {
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                RedsetException failure = assertThrows(RedsetException.class, () -> channel.step("test", () -> {
                    if (world.rank() == 1) {
                        throw new UncheckedIOException(new IOException("stale directory"));
                    }
                }));
                assertEquals(Set.of(1), failure.failures().keySet());
                assertSays(failure, "on rank 1: stale directory");
            }
            return true;
        });
    }

    @Test
    void aKernelThatIsAbsentOnOneRankIsAnErrorOnAll() {
        run(world -> {
            RankFiles files = new RankFiles(FileOperations.system(), folder, "rank.", PathPolicy.within(folder),
                    world.rank());
            ProtectionSettings wish = new ProtectionSettings(Scheme.xor(), 2, false, "host" + world.rank());
            try (RedsetChannel channel = new RedsetChannel(world.duplicate());
                    JobLocks locks = new JobLocks(channel, List.of(files.lockFile()))) {
                for (boolean recovers : new boolean[]{false, true}) {
                    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> {
                        if (recovers) {
                            new RecoverOperation(channel, List.of(files), locks, 1, true)
                                    .run(() -> kernelExceptOn(1, world.rank()));
                        } else {
                            new EncodeOperation("apply", channel, files, locks, 1).run("", wish,
                                    () -> kernelExceptOn(1, world.rank()), List::of);
                        }
                    });
                    assertSays(refused, "on rank 1: there is no such kernel");
                    new EncodeOperation("apply", channel, files, locks, 1).run("", wish, ErasureKernels::preferred,
                            List::of);
                }
            }
            return true;
        });
    }

    private static ErasureKernel kernelExceptOn(int victim, int rank) {
        if (rank == victim) {
            throw new IllegalArgumentException("there is no such kernel");
        }
        return ErasureKernels.preferred();
    }
}
