package org.restorej.internal.operation;

import org.jspecify.annotations.Nullable;
import org.restorej.BlockFallback;

/**
 * What reads the lost blocks of one generation.
 *
 * @param reader null where the store has no fallback
 * @param error what finding the reader threw that is no exception: this PE throws it when the others have been served
 */
public record GenerationFallback(@Nullable BlockFallback reader, @Nullable Error error) {
    /** Nothing reads lost blocks. */
    public static final GenerationFallback NONE = new GenerationFallback(null, null);
}
