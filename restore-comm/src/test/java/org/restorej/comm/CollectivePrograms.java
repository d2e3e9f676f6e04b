package org.restorej.comm;

import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.bytes;
import static org.restorej.comm.testing.Messages.gatherNumbers;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.receiveNumber;
import static org.restorej.comm.testing.TestArrays.requireEqual;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** Programs of the contract about calls that all PEs make together, without failures. */
final class CollectivePrograms {
    private static final int TRIES = 50;

    private CollectivePrograms() {}

    static List<ContractProgram> all() {
        return List.of(new ContractProgram("ranksAreOriginalRanksAtFirst", 1, CollectivePrograms::ranks),
                new ContractProgram("aBarrierHoldsUntilAllHaveEntered", 2,
                        comm -> waitsForAll(comm, () -> await(comm.iBarrier()))),
                new ContractProgram("aBlockingBarrierReturnsWhenAllHaveEntered", 2,
                        comm -> waitsForAll(comm, comm::barrier)),
                new ContractProgram("allGatherIsInOrderOfRanks", 1, CollectivePrograms::allGather),
                new ContractProgram("allReduceCombinesLongs", 1, CollectivePrograms::reduceLongs),
                new ContractProgram("allReduceOfDoublesIsTheSameEverywhere", 1, CollectivePrograms::reduceDoubles),
                new ContractProgram("extremesHaveTheBitsOfMathMinAndMaxEverywhere", 1, CollectivePrograms::extremes),
                new ContractProgram("aNaNInASumIsTheSameEverywhere", 1, CollectivePrograms::sumsOfNaN),
                new ContractProgram("reduceBringsTheResultToOnePe", 1, CollectivePrograms::reduceToOne),
                new ContractProgram("anEmptyReductionWaitsForAll", 2,
                        comm -> waitsForAll(comm, () -> comm.allReduce(new double[0], Reduction.SUM))),
                new ContractProgram("anEmptyGatherWaitsForAll", 2,
                        comm -> waitsForAll(comm, () -> comm.allGather(bytes(0), bytes(0)))),
                new ContractProgram("allGatherIsLimitedToOneGibibyte", 1, CollectivePrograms::gatherTooMuch)
                        .ofSurvivors(),
                new ContractProgram("aDuplicateIsIsolated", 1, CollectivePrograms::duplicate),
                new ContractProgram("agreeAndsFlags", 1, CollectivePrograms::agree),
                new ContractProgram("reductionsOfAllTypesGoOnBesideMessages", 1,
                        CollectivePrograms::reduceBesideMessages),
                new ContractProgram("anAgreementGoesOnBesideMessages", 1, CollectivePrograms::agreeBesideMessages));
    }

    private static void ranks(Communicator comm) {
        Checks.equal(RankMap.identity(comm.size()), comm.ranks(), "rank map");
        Checks.equal(OriginalRank.of(comm.rank()), comm.originalRank(), "original rank");
        Checks.holds(comm.failedRanks().isEmpty(), "nobody has failed");
        Checks.holds(!comm.isRevoked(), "not revoked");
    }

    private static void reduceToOne(Communicator comm) {
        int root = comm.size() - 1;
        boolean here = comm.rank() == root;
        long[] longs = {1, comm.rank()};
        comm.reduce(longs, Reduction.MAX, root);
        requireEqual(new long[]{1, here ? root : comm.rank()}, longs, "longs");
        double[] doubles = {1, comm.rank()};
        comm.reduce(doubles, Reduction.SUM, root);
        requireEqual(new double[]{here ? comm.size() : 1, here ? root * comm.size() / 2.0 : comm.rank()}, doubles,
                "doubles");
    }

    /** The last PE comes when it has heard from all others that they haven't got further. */
    private static void waitsForAll(Communicator comm, Runnable call) {
        int late = comm.size() - 1;
        if (comm.rank() != late) {
            await(comm.iSend(number(0), late, 1));
            call.run();
            await(comm.iSend(number(0), late, 2));
            return;
        }
        for (int rank = 0; rank < late; rank++) {
            receiveNumber(comm, rank, 1);
        }
        for (int index = 0; index < TRIES; index++) {
            Checks.holds(comm.iProbe(2) == null, "nobody returns before the last PE has called");
        }
        call.run();
        for (int rank = 0; rank < late; rank++) {
            receiveNumber(comm, rank, 2);
        }
    }

    /** Refused before the memory is looked at. */
    private static void gatherTooMuch(Communicator comm) {
        long bytes = Communicator.MAX_MESSAGE_BYTES / comm.size() + 1L;
        MemorySegment mine = MemorySegment.ofAddress(Long.BYTES).reinterpret(bytes);
        MemorySegment all = MemorySegment.ofAddress(Long.BYTES).reinterpret(bytes * comm.size());
        IllegalArgumentException refused = Checks.throwing(IllegalArgumentException.class,
                () -> comm.allGather(mine, all), "a gather of more than 1 GiB");
        Checks.holds(String.valueOf(refused.getMessage()).contains("all.byteSize()=" + all.byteSize()),
                "the length is named: " + refused.getMessage());
    }

    private static void allGather(Communicator comm) {
        long[] gathered = gatherNumbers(comm, 100L + comm.rank());
        for (int rank = 0; rank < comm.size(); rank++) {
            Checks.equal(100L + rank, gathered[rank], "number of rank " + rank);
        }
        comm.allGather(bytes(0), bytes(0));
    }

    private static void reduceLongs(Communicator comm) {
        long size = comm.size();
        for (Reduction reduction : Reduction.values()) {
            long[] values = {comm.rank() + 1, -comm.rank(), Long.MAX_VALUE};
            comm.allReduce(values, reduction);
            long[] expected = switch (reduction) {
                case SUM -> new long[]{size * (size + 1) / 2, -size * (size - 1) / 2, Long.MAX_VALUE * size};
                case MIN -> new long[]{1, 1 - size, Long.MAX_VALUE};
                case MAX -> new long[]{size, 0, Long.MAX_VALUE};
            };
            Checks.equal(Arrays.toString(expected), Arrays.toString(values), reduction.toString());
        }
    }

    private static void reduceDoubles(Communicator comm) {
        double[] sum = {1 / (3.0 + comm.rank()), comm.rank() % 2 == 0 ? 1e16 : 1};
        comm.allReduce(sum, Reduction.SUM);
        double expected = 0;
        for (int rank = 0; rank < comm.size(); rank++) {
            expected += 1 / (3.0 + rank);
        }
        Checks.holds(Math.abs(sum[0] - expected) < 1e-12, "sum " + expected + ", was " + sum[0]);
        for (double value : sum) {
            long bits = Double.doubleToRawLongBits(value);
            long[] everywhere = gatherNumbers(comm, bits);
            Checks.holds(Arrays.stream(everywhere).allMatch(other -> other == bits), "the same bits on every PE");
        }
    }

    /** Each pair of special values, one of them on each PE in turn, the other one on the others. */
    private static void extremes(Communicator comm) {
        for (Reduction reduction : List.of(Reduction.MIN, Reduction.MAX)) {
            for (int odd = 0; odd < comm.size(); odd++) {
                double[] mine = pairs(comm.rank() == odd);
                double[] other = pairs(comm.rank() != odd);
                double[] expected = new double[mine.length];
                for (int i = 0; i < expected.length; i++) {
                    double combined = comm.size() == 1 ? mine[i] : reduced(reduction, mine[i], other[i]);
                    expected[i] = Double.longBitsToDouble(Double.doubleToLongBits(combined));
                }
                String what = reduction + " with another value on rank " + odd;
                double[] doubles = mine.clone();
                comm.allReduce(doubles, reduction);
                requireEqual(expected, doubles, what);
                requireEqual(expected, ofLong(comm, mine, reduction), what + " in a long array");
                float[] floats = floats(mine);
                comm.allReduce(floats, reduction);
                requireEqual(canonical(floats(expected)), floats, what + " of floats");
                for (int i = 0; i < mine.length; i++) {
                    Checks.equal(Double.doubleToRawLongBits(expected[i]),
                            Double.doubleToRawLongBits(comm.allReduce(mine[i], reduction)), what + " alone");
                }
            }
        }
    }

    private static double reduced(Reduction reduction, double a, double b) {
        return reduction == Reduction.MIN ? Math.min(a, b) : Math.max(a, b);
    }

    /** The first or the second of each pair. */
    private static double[] pairs(boolean first) {
        double[] specials = {Double.NaN, Double.longBitsToDouble(0xFFF8_0000_0000_0007L),
                Double.longBitsToDouble(0x7FFF_FFFF_FFFF_FFFFL), Double.longBitsToDouble(-1L), -0.0, 0.0,
                Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -Double.MIN_VALUE, Double.MIN_VALUE,
                -Double.MAX_VALUE, Double.MAX_VALUE, -1.5, 1.5};
        double[] values = new double[specials.length * specials.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = specials[first ? i / specials.length : i % specials.length];
        }
        return values;
    }

    /** As part of an array that an MPI reduces in another way than a short one. */
    private static double[] ofLong(Communicator comm, double[] values, Reduction reduction) {
        double[] longer = Arrays.copyOf(values, 50_000);
        comm.allReduce(longer, reduction);
        return Arrays.copyOf(longer, values.length);
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    private static float[] canonical(float[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = Float.intBitsToFloat(Float.floatToIntBits(values[i]));
        }
        return values;
    }

    private static void sumsOfNaN(Communicator comm) {
        double[] sums = {Double.longBitsToDouble(0xFFF8_0000_0000_0000L | comm.rank()),
                comm.rank() == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY,
                comm.rank() == comm.size() - 1 ? Double.longBitsToDouble(-1L) : 1, -0.0};
        comm.allReduce(sums, Reduction.SUM);
        double infinities = comm.size() == 1 ? Double.POSITIVE_INFINITY : Double.NaN;
        requireEqual(new double[]{Double.NaN, infinities, Double.NaN, -0.0}, sums, "sums");
        float[] ofFloats = {Float.intBitsToFloat(-1), comm.rank()};
        comm.allReduce(ofFloats, Reduction.SUM);
        int all = comm.size() * (comm.size() - 1) / 2;
        requireEqual(new float[]{Float.NaN, all}, ofFloats, "sums of floats");
    }

    private static void duplicate(Communicator comm) {
        int next = (comm.rank() + 1) % comm.size();
        int previous = (comm.rank() + comm.size() - 1) % comm.size();
        try (Communicator copy = comm.duplicate()) {
            Checks.equal(comm.rank(), copy.rank(), "rank in the duplicate");
            Checks.equal(comm.ranks(), copy.ranks(), "ranks of the duplicate");
            List<Request> sends = List.of(comm.iSend(number(1), next, 1), copy.iSend(number(2), next, 1));
            Checks.equal(2L, receiveNumber(copy, previous, 1), "message in the duplicate");
            await(copy.iBarrier());
            Checks.equal(null, copy.iProbe(1), "message of the other communicator");
            Checks.equal(1L, receiveNumber(comm, previous, 1), "message in the original");
            await(sends);
        }
    }

    private static void agree(Communicator comm) {
        int mine = comm.rank() == 0 ? 0b1101 : 0b0111;
        Checks.equal(new Agreement(comm.size() == 1 ? 0b1101 : 0b0101, false), comm.agree(mine), "agreement");
        Checks.equal(new Agreement(-1, false), comm.agree(-1), "agreement on all bits");
    }

    /** PE 0 begins last, and only when it has the messages that the others send after they have begun. */
    private static void agreeBesideMessages(Communicator comm) {
        int mine = comm.rank() == 0 ? 0b1101 : 0b0111;
        PendingAgreement pending;
        if (comm.rank() == 0) {
            for (int source = 1; source < comm.size(); source++) {
                Checks.equal((long) source, receiveNumber(comm, source, 1), "message beside the agreement");
            }
            pending = comm.iAgree(mine);
        } else {
            pending = comm.iAgree(mine);
            Checks.holds(!pending.test(), "nobody has agreed without PE 0");
            Checks.throwing(IllegalStateException.class, pending::agreement, "answer before all have agreed");
            await(comm.iSend(number(comm.rank()), 0, 1));
        }
        pending.await();
        Checks.holds(pending.test(), "it stays agreed");
        Checks.equal(new Agreement(comm.size() == 1 ? 0b1101 : 0b0101, false), pending.agreement(), "agreement");
        Checks.equal(new Agreement(3, false), comm.agree(3), "the next agreement");
    }

    /** PE 0 begins last, and only when it has the messages that the others send after they have begun. */
    private static void reduceBesideMessages(Communicator comm) {
        int rank = comm.rank();
        int size = comm.size();
        long[] longs = {rank, 7};
        double[] doubles = {rank, rank == 0 ? Double.NaN : 1};
        float[] floats = {rank, 0.5f};
        int[] ints = {rank, Integer.MAX_VALUE};
        if (rank == 0) {
            for (int source = 1; source < size; source++) {
                Checks.equal((long) source, receiveNumber(comm, source, 1), "message beside the reductions");
            }
        }
        Request[] pending = {comm.iAllReduce(longs, Reduction.MAX), comm.iAllReduce(doubles, Reduction.MAX),
                comm.iAllReduce(floats, Reduction.SUM), comm.iAllReduce(ints, Reduction.SUM)};
        if (rank != 0) {
            Checks.holds(!pending[0].test(), "nobody has the result without PE 0");
            await(comm.iSend(number(rank), 0, 1));
        }
        comm.awaitAll(pending);
        int sum = size * (size - 1) / 2;
        requireEqual(new long[]{size - 1L, 7}, longs, "maxima");
        requireEqual(new double[]{size - 1, Double.NaN}, doubles, "maxima of doubles");
        requireEqual(new float[]{sum, size * 0.5f}, floats, "sums of floats");
        requireEqual(new int[]{sum, Integer.MAX_VALUE * size}, ints, "sums of ints");
        longs[0] = -1;
        Checks.holds(pending[0].test(), "it stays complete");
        Checks.equal(-1L, longs[0], "and the array is the program's own again");
    }
}
