package org.restorej.redset.internal.files;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Identifiers of temporary files and commits. Thread-safe. */
public final class UniqueId {
    private UniqueId() {}

    /**
     * An id from the time and a random number. It need not be secret: {@link UUID#randomUUID} would start the JVM's
     * cryptography, which takes 20 ms.
     */
    public static UUID next() {
        // Processes that have begun in the same nanosecond draw the same random numbers, but hardly ever at the same time.
        return new UUID(System.currentTimeMillis(),
                ThreadLocalRandom.current().nextLong() ^ Long.rotateLeft(System.nanoTime(), Integer.SIZE));
    }
}
