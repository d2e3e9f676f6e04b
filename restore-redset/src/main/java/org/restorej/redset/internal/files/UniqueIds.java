package org.restorej.redset.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Draws ids that no two processes draw alike, from the random numbers of the operating system. {@link UUID#randomUUID}
 * would load the JVM's cryptography first, which takes 20 ms of CPU in every rank. Any thread.
 */
public final class UniqueIds {
    private static final Path SYSTEM_RANDOM = Path.of("/dev/urandom");

    private UniqueIds() {}

    /** A fresh id. */
    public static UUID draw() {
        return draw(SYSTEM_RANDOM);
    }

    /** By the JVM where there is no such file, or it is too short. */
    static UUID draw(Path random) {
        try (InputStream bytes = Files.newInputStream(random)) {
            ByteBuffer drawn = ByteBuffer.wrap(bytes.readNBytes(2 * Long.BYTES));
            if (drawn.remaining() == 2 * Long.BYTES) {
                return new UUID(drawn.getLong(), drawn.getLong());
            }
        } catch (IOException elsewhere) {
            // No such device here.
        }
        return UUID.randomUUID();
    }
}
