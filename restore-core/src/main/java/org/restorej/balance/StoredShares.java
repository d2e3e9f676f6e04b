package org.restorej.balance;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.restorej.block.BlockRanges;

/** Shares stored as runs of consecutive blocks with the same owner, 12 bytes each plus 4 for the index by owner. */
final class StoredShares implements Shares {
    private final long[] firsts;
    private final int[] owners;
    private final long blockCount;
    /** Runs by owner: {@code runsByOwner[ownerStarts[rank] .. ownerStarts[rank + 1] - 1]}, ascending. */
    private final int[] ownerStarts;
    private final int[] runsByOwner;

    /**
     * Creates shares of all blocks.
     *
     * @param firsts first block of each run, ascending; a run ends where the next one begins
     * @param owners of the runs
     */
    StoredShares(int peCount, long blockCount, long[] firsts, int[] owners) {
        this.blockCount = blockCount;
        this.firsts = firsts;
        this.owners = owners;
        ownerStarts = new int[peCount + 1];
        for (int owner : owners) {
            ownerStarts[owner + 1]++;
        }
        for (int rank = 0; rank < peCount; rank++) {
            ownerStarts[rank + 1] += ownerStarts[rank];
        }
        int[] next = ownerStarts.clone();
        runsByOwner = new int[owners.length];
        for (int run = 0; run < owners.length; run++) {
            runsByOwner[next[owners[run]]++] = run;
        }
    }

    /** The runs of other shares. Takes time linear in their number and in the number of owners, plus sorting. */
    static StoredShares of(Shares shares) {
        OwnedRun[] runs = IntStream.range(0, shares.peCount()).boxed()
                .flatMap(
                        rank -> shares.blocksOf(rank).runs().stream().map(blocks -> new OwnedRun(blocks.first(), rank)))
                .sorted().toArray(OwnedRun[]::new);
        return new StoredShares(shares.peCount(), shares.blockCount(),
                Arrays.stream(runs).mapToLong(OwnedRun::first).toArray(),
                Arrays.stream(runs).mapToInt(OwnedRun::owner).toArray());
    }

    private record OwnedRun(long first, int owner) implements Comparable<OwnedRun> {
        @Override
        public int compareTo(OwnedRun other) {
            return Long.compare(first, other.first);
        }
    }

    @Override
    public long blockCount() {
        return blockCount;
    }

    @Override
    public int peCount() {
        return ownerStarts.length - 1;
    }

    @Override
    public BlockRanges blocksOf(int rank) {
        BlockRanges.Builder blocks = new BlockRanges.Builder();
        for (int i = ownerStarts[rank]; i < ownerStarts[rank + 1]; i++) {
            int run = runsByOwner[i];
            blocks.add(firsts[run], runEnd(run) - firsts[run]);
        }
        return blocks.build();
    }

    @Override
    public int ownerOf(long blockId) {
        int found = Arrays.binarySearch(firsts, blockId);
        return owners[found >= 0 ? found : -found - 2];
    }

    @Override
    public int digest() {
        return Objects.hash(peCount(), blockCount, Arrays.hashCode(firsts), Arrays.hashCode(owners));
    }

    int runCount() {
        return firsts.length;
    }

    long runFirst(int run) {
        return firsts[run];
    }

    long runEnd(int run) {
        return run + 1 < firsts.length ? firsts[run + 1] : blockCount;
    }

    int runOwner(int run) {
        return owners[run];
    }
}
