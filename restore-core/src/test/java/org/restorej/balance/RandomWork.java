package org.restorej.balance;

import java.util.Random;
import org.restorej.placement.FailedRanks;

/** Random costs of blocks and speeds of PEs, and what follows from them by formulas of the test's own. */
record RandomWork(BlockCosts costs, PeSpeeds speeds, boolean equalCosts) {
    static RandomWork of(int peCount, int blockCount, Random random) {
        boolean equalCosts = random.nextBoolean();
        double span = Math.pow(10, random.nextInt(4));
        BlockCosts costs = equalCosts
                ? BlockCosts.equal(blockCount)
                : BlockCosts.of(blockCount, block -> 1 + Math.floor(random.nextDouble() * 4) / 4 * span);
        double fastest = Math.pow(10, random.nextInt(3));
        PeSpeeds speeds = PeSpeeds.of(random.doubles(peCount, 1, 1 + fastest).toArray());
        return new RandomWork(costs, random.nextInt(3) == 0 ? PeSpeeds.equal(peCount) : speeds, equalCosts);
    }

    static RandomWork of(Random random) {
        return of(1 + random.nextInt(20), random.nextInt(400), random);
    }

    double load(Assignment assignment, int rank) {
        double load = 0;
        for (int run = 0; run < assignment.runCount(); run++) {
            for (long block = assignment.runFirst(run); block < assignment.runEnd(run); block++) {
                load += assignment.runOwner(run) == rank ? costs.of(block) : 0;
            }
        }
        return load;
    }

    double total() {
        double total = 0;
        for (long block = 0; block < costs.blockCount(); block++) {
            total += costs.of(block);
        }
        return total;
    }

    /** Cost of the most expensive block, and a little more for rounding errors. */
    double block() {
        double most = 0;
        for (long block = 0; block < costs.blockCount(); block++) {
            most = Math.max(most, costs.of(block));
        }
        return most + 1e-12 * total();
    }

    double share(int rank, FailedRanks failed) {
        double alive = 0;
        for (int other = 0; other < speeds.peCount(); other++) {
            alive += failed.contains(other) ? 0 : speeds.of(other);
        }
        return total() * speeds.of(rank) / alive;
    }
}
