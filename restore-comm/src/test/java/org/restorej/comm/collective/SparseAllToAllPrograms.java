package org.restorej.comm.collective;

import org.restorej.comm.Communicator;

import static org.restorej.comm.testing.Checks.equal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What a sparse all-to-all promises, on every transport. */
public final class SparseAllToAllPrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("manyRoundsWithStragglersNeverMix", 1, SparseAllToAllPrograms::manyRounds),
            new ContractProgram("aRoundWithoutMessagesEnds", 1, SparseAllToAllPrograms::empty),
            new ContractProgram("severalMessagesToOnePeArriveInOrder", 1, SparseAllToAllPrograms::inOrder));

    private static final int TAG = 40;
    private static final int ROUNDS = 60;

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** Who sends how much to whom in a round follows from the seed, so every PE knows what must come. */
    private static long bytes(long seed, int round, int source, int destination) {
        Random random = new Random(((seed * 1000 + round) * 1000 + source) * 1000 + destination);
        random.nextInt();
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(100);
            case 1 -> 0;
            default -> -1; // no message at all
        };
    }

    private static MemorySegment message(Arena arena, int round, int source, long bytes) {
        MemorySegment message = arena.allocate(Math.max(1, bytes)).asSlice(0, bytes);
        for (long i = 0; i < bytes; i++) {
            message.set(ValueLayout.JAVA_BYTE, i, (byte) (round * 31 + source * 7 + i));
        }
        return message;
    }

    private static void manyRounds(Communicator world) {
        try (Arena buffers = Arena.ofShared()) {
            SparseAllToAll sparse = new SparseAllToAll(world, TAG, buffers::allocate);
            for (int round = 0; round < ROUNDS; round++) {
                if (new Random(round * 100L + world.rank()).nextInt(8) == 0) {
                    straggle();
                }
                exchangeAndCheck(world, sparse, round, 1);
            }
        }
    }

    /** Takes one message. */
    @FunctionalInterface
    private interface Receiver {
        void receive(int source, MemorySegment message);
    }

    /** Does a whole round. */
    private static void exchange(SparseAllToAll sparse, List<SparseAllToAll.Message> messages, Receiver receiver) {
        SparseAllToAll.Round round = sparse.begin(messages);
        while (!round.isDone()) {
            SparseAllToAll.Message next = round.poll();
            if (next != null) {
                receiver.receive(next.peer(), next.bytes());
            }
        }
    }

    /** While a straggler sleeps, the others reach the next round and send for it. */
    private static void straggle() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void exchangeAndCheck(Communicator world, SparseAllToAll sparse, int round, long seed) {
        TreeMap<Integer, Long> expected = new TreeMap<>();
        TreeMap<Integer, Long> received = new TreeMap<>();
        try (Arena arena = Arena.ofShared()) {
            List<SparseAllToAll.Message> messages = new ArrayList<>();
            for (int peer = 0; peer < world.size(); peer++) {
                long sent = bytes(seed, round, world.rank(), peer);
                if (sent >= 0) {
                    messages.add(new SparseAllToAll.Message(peer, message(arena, round, world.rank(), sent)));
                }
                long awaited = bytes(seed, round, peer, world.rank());
                if (awaited >= 0) {
                    expected.put(peer, awaited);
                }
            }
            exchange(sparse, messages, (source, message) -> {
                equal(-1L, message(arena, round, source, message.byteSize()).mismatch(message),
                        "first wrong byte of the message of " + source + " in round " + round);
                received.merge(source, message.byteSize(), (a, b) -> Long.MIN_VALUE);
            });
        }
        equal(expected, received, "lengths by sender in round " + round + " at " + world.rank());
    }

    private static void empty(Communicator world) {
        try (Arena buffers = Arena.ofShared()) {
            SparseAllToAll sparse = new SparseAllToAll(world, TAG, buffers::allocate);
            for (int round = 0; round < 5; round++) {
                exchange(sparse, List.of(), (source, message) -> {
                    throw new AssertionError("a message of " + source + ", where nobody sent");
                });
            }
        }
    }

    private static void inOrder(Communicator world) {
        try (Arena buffers = Arena.ofShared(); Arena arena = Arena.ofShared()) {
            SparseAllToAll sparse = new SparseAllToAll(world, TAG, buffers::allocate);
            List<SparseAllToAll.Message> messages = new ArrayList<>();
            for (int i = 1; i <= 20; i++) {
                messages.add(new SparseAllToAll.Message(world.size() - 1, arena.allocate(i)));
            }
            long[] last = new long[world.size()];
            exchange(sparse, messages, (source, message) -> {
                equal(last[source] + 1, message.byteSize(), "length of the next message of " + source);
                last[source]++;
            });
            for (long count : last) {
                equal(world.rank() == world.size() - 1 ? 20L : 0L, count, "messages of each PE");
            }
        }
    }
}
