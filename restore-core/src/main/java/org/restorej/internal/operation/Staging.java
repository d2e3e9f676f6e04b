package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.storage.BlockMemory;

/** Where this PE puts the replicas of a submission until it is committed: all of them, or those of changed blocks. */
public sealed interface Staging permits WholeStaging, ChangeStaging {
    /** Memory for the sizes of blocks; asked for only where they differ, and so not for changed blocks. */
    BlockMemory sizes();

    /** Memory for the blocks, made when all sizes are known. */
    BlockMemory blocks();

    /** Whether the memory has room for checksums that come with the blocks. */
    boolean takesChecksums();

    /** What is wrong with the blocks that have come to this PE. */
    Optional<String> error(Coverage coverage);

    /** Completes sizes, with the chunks whose checksums have not come. */
    void sizesComplete(LongSet unsealedChunks);

    /** Completes the blocks, with the chunks whose checksums have not come. */
    void blocksComplete(LongSet unsealedChunks);

    /** Chunks of the present generation that are replaced in part and whose old bytes don't fit their checksum. */
    default LongSet damagedChunks() {
        return LongSets.EMPTY_SET;
    }

    /** Notes what all PEs know to be damaged of the present generation, of which nothing may stay. */
    default void markDamaged(DamagedReplicas damaged) {}

    /** Bytes that this PE holds of the new generation besides the present one. */
    long bytes();

    /**
     * Makes ready what a commit needs, before all PEs agree on it; again when they haven't, or know of more damage.
     *
     * @param present null before the first one
     * @param number of the new generation
     */
    Succession prepare(@Nullable Generation present, long number);

    /** Frees everything. */
    void discard();
}
