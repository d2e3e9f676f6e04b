package org.restorej.bench;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.restorej.internal.placement.FailedRanks;
import org.restorej.internal.placement.Placement;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;

/**
 * Where the replicas are after failures and a replenishment: how evenly the survivors have shared the lost ones, and
 * which sets of PEs must not die together. One thread.
 */
final class HealedPlacement {
    /** Ranges so long that rounding to whole blocks has no influence at 256 pieces; nothing is allocated for them. */
    private static final long BLOCKS_PER_PE = 1 << 16;

    /** A copyset is packed into a long, 16 bits a rank, so that sorting groups them by their smallest rank. */
    private static final int RANK_BITS = 16;

    private final int replication;
    private final int[] alive;
    private final long[] extraBlocks;
    private long[] copysets = new long[1024];
    private int copysetCount;
    /** Copysets with smallest rank r are those from {@code startOf[r]} to {@code startOf[r + 1]}. */
    private final int[] startOf;

    /** Random failures and the replenishment after them. */
    HealedPlacement(int peCount, int replication, int failures, int ringPoints, long seed) {
        this.replication = replication;
        FailedRanks failed = randomRanks(peCount, failures, new Random(seed));
        Placement placement = new Placement(peCount, peCount * BLOCKS_PER_PE, replication);
        ReplicaMap healed = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, ringPoints, seed),
                FailedRanks.NONE).lost(failed).replenished(failed);
        alive = IntStream.range(0, peCount).filter(rank -> !failed.contains(rank)).toArray();
        extraBlocks = new long[peCount];
        int[] holders = new int[replication];
        for (int range = 0; range < peCount; range++) {
            for (int piece = 0; piece < healed.pieces(range); piece++) {
                int count = healed.holders(range, piece, holders);
                long blocks = healed.firstPosition(range, piece + 1) - healed.firstPosition(range, piece);
                for (int i = 0; i < count; i++) {
                    extraBlocks[holders[i]] += placement.isHeldBy(range, holders[i]) ? 0 : blocks;
                }
                if (count == replication) {
                    addCopyset(holders);
                }
            }
        }
        sortCopysets();
        startOf = new int[peCount + 1];
        for (int i = 0; i < copysetCount; i++) {
            startOf[smallest(copysets[i]) + 1]++;
        }
        for (int rank = 0; rank < peCount; rank++) {
            startOf[rank + 1] += startOf[rank];
        }
    }

    private static FailedRanks randomRanks(int peCount, int count, Random random) {
        return FailedRanks.of(random.ints(0, peCount).distinct().limit(count).toArray());
    }

    private void addCopyset(int[] holders) {
        int[] ascending = holders.clone();
        Arrays.sort(ascending);
        long packed = 0;
        for (int rank : ascending) {
            packed = packed << RANK_BITS | rank;
        }
        if (copysetCount == copysets.length) {
            copysets = Arrays.copyOf(copysets, 2 * copysetCount);
        }
        copysets[copysetCount++] = packed;
    }

    private void sortCopysets() {
        Arrays.sort(copysets, 0, copysetCount);
        int distinct = 0;
        for (int i = 0; i < copysetCount; i++) {
            if (distinct == 0 || copysets[i] != copysets[distinct - 1]) {
                copysets[distinct++] = copysets[i];
            }
        }
        copysetCount = distinct;
    }

    private int smallest(long copyset) {
        return (int) (copyset >>> (RANK_BITS * (replication - 1)));
    }

    /** Blocks that the heaviest survivor has got, over the mean of all survivors. */
    double imbalance() {
        double mean = (double) Arrays.stream(extraBlocks).sum() / alive.length;
        return heaviest() / mean;
    }

    /** By how much the memory of the heaviest survivor has grown, relative to the replicas of K ranges. */
    double growth() {
        return (double) heaviest() / (replication * BLOCKS_PER_PE);
    }

    private long heaviest() {
        return Arrays.stream(extraBlocks).max().orElseThrow();
    }

    /** Number of different sets of K PEs that hold something together. */
    int copysets() {
        return copysetCount;
    }

    /** Of so many trials in which further PEs die at once, those in which some block loses its last replica. */
    int losses(int deaths, int trials, Random random) {
        int losses = 0;
        boolean[] dead = new boolean[extraBlocks.length];
        for (int trial = 0; trial < trials; trial++) {
            // The first of the alive are drawn as in a shuffle; their order is of no importance to the next trial.
            for (int i = 0; i < deaths; i++) {
                int drawn = i + random.nextInt(alive.length - i);
                int rank = alive[drawn];
                alive[drawn] = alive[i];
                alive[i] = rank;
                dead[rank] = true;
            }
            losses += losesSomething(deaths, dead) ? 1 : 0;
            for (int i = 0; i < deaths; i++) {
                dead[alive[i]] = false;
            }
        }
        return losses;
    }

    private boolean losesSomething(int deaths, boolean[] dead) {
        for (int i = 0; i < deaths; i++) {
            for (int copyset = startOf[alive[i]]; copyset < startOf[alive[i] + 1]; copyset++) {
                if (allDead(copysets[copyset], dead)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean allDead(long copyset, boolean[] dead) {
        long rest = copyset;
        for (int i = 0; i < replication; i++) {
            if (!dead[(int) (rest & ((1 << RANK_BITS) - 1))]) {
                return false;
            }
            rest >>>= RANK_BITS;
        }
        return true;
    }
}
