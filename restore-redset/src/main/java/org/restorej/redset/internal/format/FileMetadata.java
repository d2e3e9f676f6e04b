package org.restorej.redset.internal.format;

/**
 * What {@code stat} says of a file beside its size.
 *
 * @param mode the full {@code st_mode}, type of file included
 * @param userId numeric owner
 * @param groupId numeric group
 * @param accessTime last access
 * @param changeTime last change of status; recorded, can't be restored
 * @param modificationTime last write
 */
public record FileMetadata(long mode, long userId, long groupId, Timestamp accessTime, Timestamp changeTime,
        Timestamp modificationTime) {
    private static final long UINT32_MAX = 0xFFFF_FFFFL;

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
        writeTime(tree, "ATIME", accessTime);
        writeTime(tree, "CTIME", changeTime);
        writeTime(tree, "MTIME", modificationTime);
    }

    private static void writeTime(KvTree.Builder tree, String name, Timestamp time) {
        // redset prints seconds as unsigned, so a time before 1970 is a number beyond 2^63.
        tree.put(name + "_SECS", Long.toUnsignedString(time.seconds()));
        tree.put(name + "_NSECS", time.nanoseconds());
    }

    /**
     * Reads what is recorded.
     *
     * @throws FormatException when something is absent or no number
     */
    public static FileMetadata read(TreeFields fields) throws FormatException {
        return new FileMetadata(fields.number("MODE", 0, UINT32_MAX), fields.number("UID", 0, UINT32_MAX),
                fields.number("GID", 0, UINT32_MAX), readTime(fields, "ATIME"), readTime(fields, "CTIME"),
                readTime(fields, "MTIME"));
    }

    private static Timestamp readTime(TreeFields fields, String name) throws FormatException {
        String digits = fields.text(name + "_SECS");
        int nanoseconds = fields.integer(name + "_NSECS", 0, Timestamp.NANOSECONDS_A_SECOND - 1);
        try {
            long seconds = Long.parseUnsignedLong(digits);
            if (Long.toUnsignedString(seconds).equals(digits)) {
                return new Timestamp(seconds, nanoseconds);
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, like any other text.
        }
        throw new FormatException(
                fields.place() + "/" + name + "_SECS must be an unsigned number of 64 bits: " + digits);
    }
}
