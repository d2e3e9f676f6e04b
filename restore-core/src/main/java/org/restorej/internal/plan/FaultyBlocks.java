package org.restorej.internal.plan;

import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockPositions;

/** A count of faulty blocks, with the ids of the first ones. */
public final class FaultyBlocks {
    /** Maximum number of runs that are named; the blocks of further runs are only counted. */
    private static final int NAMED_RUNS = 8;

    private final List<BlockRange> named = new ArrayList<>();
    private boolean allNamed = true;
    private long count;

    void add(BlockPositions permutation, long position, long positions) {
        count += positions;
        if (allNamed) {
            permutation.blocksAt(position, position + positions).forEach(this::name);
        }
    }

    /** Names a run. A long run is reported in pieces, one for each word of bits, which are merged here. */
    private void name(BlockRange run) {
        if (!named.isEmpty() && named.getLast().end() == run.first()) {
            named.set(named.size() - 1, BlockRange.between(named.getLast().first(), run.end()));
        } else if (named.size() < NAMED_RUNS) {
            named.add(run);
        } else {
            allNamed = false;
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    @Override
    public String toString() {
        BlockRanges runs = BlockRanges.of(named);
        return allNamed ? runs.toString() : runs + " and others, " + count + " in all";
    }
}
