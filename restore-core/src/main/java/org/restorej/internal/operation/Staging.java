package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.storage.BlockMemory;

/**
 * This PE's memory for the replicas of a submission until its commit: for all of them, or for those of changed blocks.
 */
public sealed interface Staging permits WholeStaging, ChangeStaging {
    /** Memory for the sizes of blocks. Called only if they differ, so never for changed blocks. */
    BlockMemory sizes();

    /** Memory for the blocks. Called when all sizes are known. */
    BlockMemory blocks();

    /** Completes the sizes. Computes the checksums of the given chunks, which were not received. */
    void sizesComplete(LongSet unsealedChunks);

    /** Completes the blocks. Computes the checksums of the given chunks, which were not received. */
    void blocksComplete(LongSet unsealedChunks);

    /** Chunks of the present generation that are replaced in part and whose old bytes don't match their checksum. */
    default LongSet damagedChunks() {
        return LongSets.EMPTY_SET;
    }

    /** Records damage of the present generation that all PEs know; nothing of it may remain. */
    default void markDamaged(DamagedReplicas damaged) {}

    /** Bytes of the new generation that this PE holds in addition to the present one. */
    long bytes();

    /**
     * Prepares a commit before all PEs agree on it. Called again if they don't agree, or more damage becomes known.
     *
     * @param present the present generation; null before the first
     * @param number of the new generation
     */
    Succession prepare(@Nullable Generation present, long number);

    /** Frees all memory. */
    void discard();
}
