package org.restorej;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;

/**
 * What reads the lost blocks of one generation. A fallback that fails to find its generation leaves the blocks lost,
 * like one that fails to read them: the other PEs wait for this one.
 *
 * @param fallback none, where the store has none
 * @param error what finding it threw that is no exception: this PE is told when the others have been served
 */
record GenerationFallback(@Nullable BlockFallback fallback, @Nullable Error error) {
    static GenerationFallback of(@Nullable BlockFallback fallback, ReStore store, long generation) {
        if (fallback == null) {
            return new GenerationFallback(null, null);
        }
        try {
            return new GenerationFallback(Objects.requireNonNull(fallback.forGeneration(store, generation),
                    "the fallback for generation " + generation), null);
        } catch (Throwable broken) {
            return new GenerationFallback((blocks, destination) -> {
                throw Settlement.<RuntimeException>asItIs(broken);
            }, broken instanceof Error error ? error : null);
        }
    }

    void throwError() {
        if (error != null) {
            throw error;
        }
    }
}
