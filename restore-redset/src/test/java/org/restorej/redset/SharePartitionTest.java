package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.testing.Seed;

/** Shares that all ranks compare. */
class SharePartitionTest {
    private static final int RANKS = 3;
    private static final long BLOCKS = 400_000;
    private static final long SEED = Seed.of(SharePartitionTest.class);

    @Test
    void findsEveryFaultAmongMoreRunsThanFitIntoARound() {
        Random random = new Random(SEED);
        List<BlockRanges> shares = dealt(random);
        assertEquals(Optional.empty(), mistake(shares));
        long block = random.nextLong(BLOCKS);
        int owner = shares.get(0).contains(block) ? 0 : shares.get(1).contains(block) ? 1 : 2;
        List<BlockRanges> without = new ArrayList<>(shares);
        without.set(owner, shares.get(owner).minus(BlockRanges.of(block, 1)));
        assertEquals(faults("in none: {" + block + "}"), mistake(without));
        List<BlockRanges> doubled = new ArrayList<>(shares);
        int other = (owner + 1) % RANKS;
        doubled.set(other, shares.get(other).union(BlockRanges.of(block, 1)));
        assertEquals(faults("in more than one: {" + block + "}"), mistake(doubled));
    }

    @Test
    void aShareMayHaveNothing() {
        assertEquals(Optional.empty(),
                mistake(List.of(BlockRanges.EMPTY, BlockRanges.of(0, BLOCKS), BlockRanges.EMPTY)));
        assertEquals(faults("in none: {0..399999}"),
                mistake(List.of(BlockRanges.EMPTY, BlockRanges.EMPTY, BlockRanges.EMPTY)));
    }

    private static Optional<String> faults(String named) {
        return Optional.of("share must be such that the shares of all ranks have each of the 400000 blocks once; the "
                + "first that are " + named);
    }

    /** Nearly every block is a run of its own, but for the second half of the last rank. */
    private static List<BlockRanges> dealt(Random random) {
        List<List<BlockRange>> runs = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (long block = 0; block < BLOCKS; block++) {
            runs.get(block < BLOCKS / 2 ? random.nextInt(RANKS) : RANKS - 1).add(BlockRange.of(block, 1));
        }
        return runs.stream().map(BlockRanges::of).toList();
    }

    private static Optional<String> mistake(List<BlockRanges> shares) {
        List<Optional<String>> told = LocalCluster.run(RANKS, world -> {
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                return new SharePartition(channel, BLOCKS, shares.get(world.rank())).mistake("save");
            }
        });
        assertEquals(1, told.stream().distinct().count(), "the same on all ranks");
        return told.getFirst();
    }
}
