package org.restorej.internal.access;

import org.restorej.block.BlockRanges;
import org.restorej.internal.message.MessageArguments;

/** What rows and objects have in common that are submitted and pulled without a loop. */
public final class ManualAccess {
    private ManualAccess() {}

    /**
     * The ids of a PE once it has read further ones.
     *
     * @param what they are, for the message
     * @throws IllegalArgumentException when it has one of them
     */
    public static BlockRanges idsWith(BlockRanges ids, BlockRanges further, String what) {
        MessageArguments.checkGiven("further", further);
        BlockRanges twice = further.intersect(ids);
        if (!twice.isEmpty()) {
            throw new IllegalArgumentException(what + " must not be added twice: " + twice);
        }
        return ids.union(further);
    }

    /** For data that were given as they are, without what makes them. */
    public static IllegalStateException cannotBeMade() {
        return new IllegalStateException("a loop can keep only what it can make again while nothing is submitted: these"
                + " blocks were given as they are, so submit them first, or give a function that makes them");
    }
}
