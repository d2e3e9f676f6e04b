package org.restorej;

import org.jspecify.annotations.Nullable;

/**
 * What reads the lost blocks of one generation.
 *
 * @param reader null where the store has no fallback
 * @param error what finding the reader threw that is no exception: this PE throws it when the others have been served
 */
record GenerationFallback(@Nullable BlockFallback reader, @Nullable Error error) {
    /** Nothing reads lost blocks. */
    static final GenerationFallback NONE = new GenerationFallback(null, null);
}
