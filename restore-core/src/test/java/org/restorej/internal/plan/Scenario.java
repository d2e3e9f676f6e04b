package org.restorej.internal.plan;

import java.util.Random;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.Placement;
import org.restorej.testing.Failures;

/** A small data set, permuted or not, placed with or without failures. */
record Scenario(RangePermutation permutation, ReplicaMap replicaMap) {
    BlockDirectory directory() {
        return new BlockDirectory(permutation, replicaMap, new ChunkGrid(replicaMap.ring(), 7), DamagedReplicas.NONE);
    }

    static Scenario random(Random random) {
        int peCount = 1 + random.nextInt(8);
        int blockCount = random.nextInt(300);
        Placement placement = new Placement(peCount, blockCount, 1 + random.nextInt(peCount));
        ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(6), random.nextLong());
        RangePermutation permutation = random.nextBoolean()
                ? RangePermutation.identity(blockCount)
                : RangePermutation.feistel(blockCount, 1 + random.nextInt(20), random.nextLong());
        return new Scenario(permutation,
                ReplicaMap.placedWithout(placement, ring, Failures.someOf(peCount, random)));
    }
}
