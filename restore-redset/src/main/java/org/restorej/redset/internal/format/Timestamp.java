package org.restorej.redset.internal.format;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time of a file, as {@code stat} gives it.
 *
 * @param seconds since 1970-01-01 UTC
 * @param nanoseconds in {@code [0, 999999999]}
 */
public record Timestamp(long seconds, int nanoseconds) {
    static final int NANOSECONDS_A_SECOND = 1_000_000_000;

    /** Checks the nanoseconds. */
    public Timestamp {
        if (nanoseconds < 0 || nanoseconds >= NANOSECONDS_A_SECOND) {
            throw new IllegalArgumentException("nanoseconds must be in [0, 999999999]: nanoseconds=" + nanoseconds);
        }
    }

    /** The timestamp of a Java file time. */
    public static Timestamp of(FileTime time) {
        Instant instant = time.toInstant();
        return new Timestamp(instant.getEpochSecond(), instant.getNano());
    }

    /** The same time. */
    public FileTime toFileTime() {
        return FileTime.from(Instant.ofEpochSecond(Math.clamp(seconds, Instant.MIN.getEpochSecond(),
                Instant.MAX.getEpochSecond()), nanoseconds));
    }

    /** Without the code that the JVM would generate for a record, in a job's first call. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Timestamp that && seconds == that.seconds && nanoseconds == that.nanoseconds;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(seconds) + nanoseconds;
    }
}
