package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

import static org.restorej.comm.testing.TestArrays.array;
import static org.restorej.comm.testing.TestArrays.requireEqual;
import static org.restorej.comm.testing.TestArrays.zeros;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.TestArrays;

/** Programs of the contract about arrays and about waiting, without failures. */
public final class ArrayPrograms {
    /** Splits nearly every array. */
    private static final int TAG = 7;
    private static final int[] LENGTHS = {0, 1, 2, 5, 33};

    private ArrayPrograms() {}

    public static List<ContractProgram> all() {
        return List.of(
                new ContractProgram("awaitAllWaitsForAll", 1, ArrayPrograms::awaitAll),
                new ContractProgram("sendReceiveShiftsArraysOfAllTypes", 1, ArrayPrograms::shift),
                new ContractProgram("sendAndReceiveAreItsHalves", 1, ArrayPrograms::halves),
                new ContractProgram("sendReceiveAtAnEdgeLeavesTheArray", 1, ArrayPrograms::edges),
                new ContractProgram("sendReceiveTakesAnySegment", 1, ArrayPrograms::segments),
                new ContractProgram("broadcastBringsTheArrayOfEachRoot", 1, ArrayPrograms::broadcast),
                new ContractProgram("broadcastOfALongArrayComesInPieces", 1, ArrayPrograms::longBroadcast),
                new ContractProgram("gatherBringsArraysOfAllLengths", 1, ArrayPrograms::gather),
                new ContractProgram("allGatherBringsArraysOfAllLengths", 1, ArrayPrograms::allGather),
                new ContractProgram("allToAllBringsArraysOfAllTypes", 1, ArrayPrograms::allToAll),
                new ContractProgram("operationsOnArraysMixWithNothing", 1, ArrayPrograms::mixed));
    }

    private static int at(Communicator comm, int distance) {
        return Math.floorMod(comm.rank() + distance, comm.size());
    }

    private static void awaitAll(Communicator comm) {
        comm.awaitAll();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_LONG, comm.rank(), 10L + comm.rank());
            MemorySegment received = arena.allocate(16, 8);
            Request one = comm.iReceive(received.asSlice(0, 8), at(comm, -1), TAG);
            Request two = comm.iReceive(received.asSlice(8, 8), at(comm, -1), TAG + 1);
            Request second = comm.iSsend(sent.asSlice(8, 8), at(comm, 1), TAG + 1);
            Request first = comm.iSend(sent.asSlice(0, 8), at(comm, 1), TAG);
            comm.awaitAll(one, two, first, second);
            Checks.equal(at(comm, -1), (int) received.getAtIndex(ValueLayout.JAVA_LONG, 0), "the first message");
            Checks.equal(10 + at(comm, -1), (int) received.getAtIndex(ValueLayout.JAVA_LONG, 1), "the second one");
            Checks.holds(first.test() && second.test(), "done requests stay done");
            comm.barrier();
        }
    }

    private static void shift(Communicator comm) {
        for (Class<?> type : TestArrays.TYPES) {
            for (int length : LENGTHS) {
                int left = at(comm, -1);
                Object received = zeros(type, length + left);
                comm.sendReceive(array(type, length + comm.rank(), comm.rank()), at(comm, 1), received, left, TAG);
                requireEqual(array(type, length + left, left), received, "what rank " + left + " sent");
            }
        }
    }

    /** From rank to rank, each of which adds its own. */
    private static void halves(Communicator comm) {
        int before = comm.rank() == 0 ? Communicator.NO_RANK : comm.rank() - 1;
        int behind = comm.rank() == comm.size() - 1 ? Communicator.NO_RANK : comm.rank() + 1;
        int[] sum = new int[1];
        comm.receive(sum, before, TAG);
        sum[0] += comm.rank();
        comm.send(sum, behind, TAG);
        MemorySegment segment = MemorySegment.ofArray(new int[1]);
        comm.receive(segment, before, TAG);
        comm.send(MemorySegment.ofArray(sum), behind, TAG);
        Checks.equal(comm.rank() * (comm.rank() + 1) / 2, sum[0], "sum of all ranks before");
        Checks.equal(sum[0] - comm.rank(), segment.get(ValueLayout.JAVA_INT, 0), "the sum before");
    }

    private static void edges(Communicator comm) {
        int up = comm.rank() == 0 ? Communicator.NO_RANK : comm.rank() - 1;
        int down = comm.rank() == comm.size() - 1 ? Communicator.NO_RANK : comm.rank() + 1;
        double[] mine = {comm.rank()};
        double[] above = {-5};
        double[] below = {-6};
        for (int round = 0; round < 20; round++) {
            comm.sendReceive(mine, up, below, down, TAG);
            comm.sendReceive(mine, down, above, up, TAG);
        }
        Checks.equal(up == Communicator.NO_RANK ? -5.0 : up, above[0], "from above");
        Checks.equal(down == Communicator.NO_RANK ? -6.0 : down, below[0], "from below");
        comm.sendReceive(mine, Communicator.NO_RANK, above, Communicator.NO_RANK, TAG);
    }

    private static void segments(Communicator comm) {
        int left = at(comm, -1);
        long[] numbers = {comm.rank(), 2, 3, 4};
        MemorySegment heap = MemorySegment.ofArray(numbers);
        comm.sendReceive(heap.asSlice(0, 8), at(comm, 1), heap.asSlice(24, 8), left, TAG);
        Checks.equal(Arrays.toString(new long[]{comm.rank(), 2, 3, left}), Arrays.toString(numbers),
                "part of an array");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_LONG, 100L + comm.rank());
            MemorySegment received = arena.allocateFrom(ValueLayout.JAVA_LONG, 0, -7);
            comm.sendReceive(sent.asReadOnly(), at(comm, 1), received, left, TAG);
            Checks.equal(100L + left, received.getAtIndex(ValueLayout.JAVA_LONG, 0), "off-heap");
            Checks.equal(-7L, received.getAtIndex(ValueLayout.JAVA_LONG, 1), "behind a shorter message");
        }
        long[] longer = {0, -8};
        comm.sendReceive(MemorySegment.ofArray(new long[]{comm.rank()}), at(comm, 1), MemorySegment.ofArray(longer),
                left, TAG);
        Checks.equal(Arrays.toString(new long[]{left, -8}), Arrays.toString(longer), "a shorter message on the heap");
    }

    private static void broadcast(Communicator comm) {
        for (Class<?> type : TestArrays.TYPES) {
            for (int length : LENGTHS) {
                for (int root = 0; root < comm.size(); root++) {
                    Object values = comm.rank() == root ? array(type, length, root) : zeros(type, length);
                    comm.broadcast(values, root);
                    requireEqual(array(type, length, root), values, "the array of root " + root);
                }
            }
        }
    }

    private static void longBroadcast(Communicator comm) {
        double[] large = new double[400_000];
        large[large.length - 1] = comm.rank() == 0 ? 3 : 0;
        comm.broadcast(large, 0);
        Checks.equal(3.0, large[large.length - 1], "the end of a long array");
    }

    /** Lengths of each rank in a round: some of them 0, and now and then one PE has nearly all. */
    private static int length(int round, int rank, int size) {
        return switch (round % 4) {
            case 0 -> 0;
            case 1 -> rank % 3;
            case 2 -> rank == round % size ? 50_000 : 0;
            default -> 5;
        };
    }

    private static void gather(Communicator comm) {
        int round = 0;
        for (Class<?> type : TestArrays.TYPES) {
            for (int repetition = 0; repetition < 4; repetition++, round++) {
                int root = round % comm.size();
                Object[] all = comm.gather(array(type, length(round, comm.rank(), comm.size()), comm.rank()), root);
                Checks.equal(comm.rank() == root, all != null, "arrays on the root alone");
                if (all != null) {
                    requireAll(all, type, round);
                }
            }
        }
    }

    private static void requireAll(Object[] all, Class<?> type, int round) {
        Checks.equal(type.arrayType().arrayType(), all.getClass(), "type of the arrays");
        for (int rank = 0; rank < all.length; rank++) {
            requireEqual(array(type, length(round, rank, all.length), rank), all[rank], "array of rank " + rank);
        }
    }

    private static void allGather(Communicator comm) {
        int round = 0;
        for (Class<?> type : TestArrays.TYPES) {
            for (int repetition = 0; repetition < 4; repetition++, round++) {
                Object mine = array(type, length(round, comm.rank(), comm.size()), comm.rank());
                Object[] all = comm.allGather(mine);
                Checks.equal(comm.size(), all.length, "arrays");
                requireAll(all, type, round);
                Checks.holds(isAnother(all[comm.rank()], mine), "a new array of this PE too");
            }
        }
    }

    private static void allToAll(Communicator comm) {
        for (Class<?> type : TestArrays.TYPES) {
            for (int length : LENGTHS) {
                Object[] sent = (Object[]) Array.newInstance(type.arrayType(), comm.size());
                for (int rank = 0; rank < sent.length; rank++) {
                    sent[rank] = array(type, length * (rank % 2), comm.rank() * 100L + rank);
                }
                Object[] received = comm.allToAll(sent);
                Checks.equal(sent.getClass(), received.getClass(), "type of the arrays");
                for (int rank = 0; rank < sent.length; rank++) {
                    requireEqual(array(type, length * (comm.rank() % 2), rank * 100L + comm.rank()), received[rank],
                            "array of rank " + rank);
                }
                Checks.holds(isAnother(received[comm.rank()], sent[comm.rank()]), "a new array of this PE too");
            }
        }
    }

    private static void straggle(Communicator comm, int round) {
        if (new SplittableRandom(round * 100L + comm.rank()).nextInt(8) == 0) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** All of them in a row, and a message of the application that stays pending meanwhile. */
    private static void mixed(Communicator comm) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment received = arena.allocate(8, 8);
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_LONG, comm.rank());
            Request receive = comm.iReceive(received, at(comm, -1), Communicator.MAX_TAG);
            for (int round = 0; round < 8; round++) {
                straggle(comm, round);
                int[] values = {comm.rank() == round % comm.size() ? round : -1};
                comm.broadcast(values, round % comm.size());
                Checks.equal(round, values[0], "broadcast of round " + round);
                int[][] sums = comm.allToAll(comm.allGather(new int[]{comm.rank() + round}));
                Checks.equal(comm.rank() + round, sums[comm.size() - 1][0], "all-to-all of round " + round);
                int[][] all = comm.gather(new int[]{round * comm.rank()}, 0);
                Checks.holds(all == null || all[comm.size() - 1][0] == round * (comm.size() - 1), "gather");
                Checks.equal(round, (int) comm.allReduce(round, Reduction.MIN), "round");
            }
            Request send = comm.iSend(sent, at(comm, 1), Communicator.MAX_TAG);
            comm.awaitAll(List.of(receive, send));
            Checks.equal((long) at(comm, -1), received.get(ValueLayout.JAVA_LONG, 0), "message of the application");
        }
    }

    @SuppressWarnings("ReferenceEquality") // Whether it is a copy.
    private static boolean isAnother(Object one, Object other) {
        return one != other;
    }
}
