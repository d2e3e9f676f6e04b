package org.restorej;

import org.jspecify.annotations.Nullable;

/**
 * A new generation of one store that all PEs have received and that nobody reads yet.
 *
 * @param commit makes it out of the present one, which can't fail
 * @param discard frees it instead
 * @param bytes that this PE holds of it
 */
record StagedGeneration(Commit commit, Runnable discard, long bytes) {
    /** Makes a generation out of the present one. */
    @FunctionalInterface
    interface Commit {
        /** Makes it; the memory of the present one is the caller's to free, as far as the new one doesn't use it. */
        Generation over(@Nullable Generation present);
    }
}
