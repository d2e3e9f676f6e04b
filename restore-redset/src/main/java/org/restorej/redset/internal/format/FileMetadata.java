package org.restorej.redset.internal.format;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@code stat} for a file, without its size.
 *
 * @param mode the full {@code st_mode}, type of file included
 * @param userId numeric owner
 * @param groupId numeric group
 * @param accessTime last access
 * @param changeTime last status change; recorded, but can't be restored
 * @param modificationTime last write
 */
public record FileMetadata(long mode, long userId, long groupId, Timestamp accessTime, Timestamp changeTime,
        Timestamp modificationTime) {
    private static final long UINT32_MAX = 0xFFFF_FFFFL;
    private static final TimeKeys ACCESS = new TimeKeys("ATIME_SECS", "ATIME_NSECS");
    private static final TimeKeys CHANGE = new TimeKeys("CTIME_SECS", "CTIME_NSECS");
    private static final TimeKeys MODIFICATION = new TimeKeys("MTIME_SECS", "MTIME_NSECS");

    /** The keys of a time in a tree. */
    private record TimeKeys(String seconds, String nanoseconds) {}

    /** Checks that the numbers fit into 32 bits. */
    public FileMetadata {
        check("mode", mode);
        check("userId", userId);
        check("groupId", groupId);
    }

    private static void check(String name, long value) {
        if (value < 0 || value > UINT32_MAX) {
            throw new IllegalArgumentException(name + " must be in [0, " + UINT32_MAX + "]: " + name + "=" + value);
        }
    }

    void write(KvTree.Builder tree) {
        tree.put("MODE", mode).put("UID", userId).put("GID", groupId);
        writeTime(tree, ACCESS, accessTime);
        writeTime(tree, CHANGE, changeTime);
        writeTime(tree, MODIFICATION, modificationTime);
    }

    private static void writeTime(KvTree.Builder tree, TimeKeys keys, Timestamp time) {
        // redset prints seconds as unsigned, so a time before 1970 is a number beyond 2^63.
        tree.put(keys.seconds(), Long.toUnsignedString(time.seconds()));
        tree.put(keys.nanoseconds(), time.nanoseconds());
    }

    /**
     * Reads recorded values.
     *
     * @throws FormatException if one is missing or invalid
     */
    public static FileMetadata read(TreeFields fields) throws FormatException {
        return new FileMetadata(fields.number("MODE", 0, UINT32_MAX), fields.number("UID", 0, UINT32_MAX),
                fields.number("GID", 0, UINT32_MAX), readTime(fields, ACCESS), readTime(fields, CHANGE),
                readTime(fields, MODIFICATION));
    }

    private static Timestamp readTime(TreeFields fields, TimeKeys keys) throws FormatException {
        String digits = fields.text(keys.seconds());
        int nanoseconds = fields.integer(keys.nanoseconds(), 0, Timestamp.NANOSECONDS_A_SECOND - 1);
        try {
            if (TreeFields.isCanonical(digits)) {
                return new Timestamp(Long.parseUnsignedLong(digits), nanoseconds);
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, like any other text.
        }
        throw new FormatException(
                fields.place() + "/" + keys.seconds() + " must be an unsigned number of 64 bits: " + digits);
    }

    /**
     * A time of a file, as from {@code stat}.
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

        /** The same time as a Java file time. */
        public FileTime toFileTime() {
            return FileTime.from(Instant.ofEpochSecond(Math.clamp(seconds, Instant.MIN.getEpochSecond(),
                    Instant.MAX.getEpochSecond()), nanoseconds));
        }

        /** Written by hand: the JVM would generate the code of a record's own method in a job's first call. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Timestamp that && seconds == that.seconds && nanoseconds == that.nanoseconds;
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(seconds) + nanoseconds;
        }
    }
}
