package org.restorej.redset.internal.files;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Identifiers of temporary files and commits. Thread-safe. */
public final class UniqueId {
    private UniqueId() {}

    /**
     * One of time and chance. Nobody needs to be kept from guessing it; and to start the JVM's cryptography, which
     * {@link UUID#randomUUID} does, takes 20 ms.
     */
    public static UUID next() {
        return new UUID(System.currentTimeMillis(), ThreadLocalRandom.current().nextLong());
    }
}
