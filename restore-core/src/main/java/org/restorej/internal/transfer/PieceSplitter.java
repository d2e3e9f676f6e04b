package org.restorej.internal.transfer;

import org.restorej.internal.placement.Placement;
import org.restorej.internal.placement.RangePermutation;

/** Cuts runs of block ids into pieces of consecutive positions that have the same holders. Pure; allocates nothing. */
final class PieceSplitter {
    /** Takes the pieces. */
    @FunctionalInterface
    interface PieceConsumer {
        /**
         * Takes one piece.
         *
         * @param range block range that it lies in
         * @param part part of the range, as {@link org.restorej.internal.placement.ReplicaMap} counts them
         * @param position first position
         * @param count number of blocks, at least 1
         * @param slot slot of its first block
         */
        void accept(int range, int part, long position, long count, long slot);
    }

    private PieceSplitter() {}

    /**
     * Cuts one run, in ascending order of ids.
     *
     * @param firstBlock first block id
     * @param blockCount number of blocks
     * @param firstSlot slot of the first block; the others follow
     */
    static void split(BlockDirectory directory, long firstBlock, long blockCount, long firstSlot,
            PieceConsumer consumer) {
        RangePermutation permutation = directory.permutation();
        Placement placement = directory.residency().placement();
        long done = 0;
        while (done < blockCount) {
            long position = permutation.positionOf(firstBlock + done);
            long together = Math.min(blockCount - done, permutation.runAt(firstBlock + done));
            long end = position + together;
            while (position < end) {
                int range = placement.rangeOf(position);
                int part = directory.residency().partOf(range, position);
                long count = Math.min(end, directory.end(range, part, position)) - position;
                consumer.accept(range, part, position, count, firstSlot + done);
                position += count;
                done += count;
            }
        }
    }
}
