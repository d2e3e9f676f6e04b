package org.restorej.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Checks of memory settings, by files of Linux.
 *
 * @param root the folder that contains {@code proc}, {@code sys} and {@code dev}: {@code /} except in tests
 */
record SystemFiles(Path root) {
    private static final String SHARED_MEMORY = "shared memory";
    private static final String LOCKED_MEMORY = "locked memory";
    private static final String SAME_NODE = "messages between ranks of one node";
    private static final String NETWORK = "InfiniBand and other networks with RDMA";
    /** Open MPI needs 4 to 16 MiB for each rank, and a cluster node has about as many ranks as processors. */
    private static final long SHARED_BYTES_PER_RANK = 16L << 20;
    private static final String LOCKED_LINE = "Max locked memory";

    /** Whether there is enough shared memory for a rank on each processor. */
    Finding sharedMemory(int processors) {
        long wanted = SHARED_BYTES_PER_RANK * processors;
        try {
            long usable = Files.getFileStore(root.resolve("dev/shm")).getUsableSpace();
            String found = mebibytes(usable) + " free in /dev/shm";
            return usable >= wanted
                    ? Finding.ok(SHARED_MEMORY, found, SAME_NODE)
                    : Finding.limited(SHARED_MEMORY, found + ", too little for " + processors + " ranks", SAME_NODE,
                            "mount -o remount,size=" + (wanted >> 20)
                                    + "M /dev/shm (as root; with Docker, start with --shm-size)");
        } catch (IOException absent) {
            return Finding.missing(SHARED_MEMORY, "no /dev/shm", SAME_NODE,
                    "mkdir -p /dev/shm && mount -t tmpfs tmpfs /dev/shm (as root)");
        }
    }

    /** Whether memory can be locked, as RDMA networks require. */
    Finding lockedMemory() {
        Optional<String> limit = text("proc/self/limits").flatMap(
                limits -> limits.lines().filter(line -> line.startsWith(LOCKED_LINE)).findFirst())
                .map(line -> line.substring(LOCKED_LINE.length()).strip().replaceFirst("\\s.*", ""));
        if (limit.isEmpty()) {
            return Finding.unknown(LOCKED_MEMORY, "this system doesn't say how much may be locked", NETWORK);
        }
        return limit.get().equals("unlimited")
                ? Finding.ok(LOCKED_MEMORY, "unlimited", NETWORK)
                : Finding.limited(LOCKED_MEMORY, "at most " + limit.get() + " bytes", NETWORK,
                        "ulimit -l unlimited (allowed by memlock in /etc/security/limits.conf)");
    }

    private Optional<String> text(String file) {
        try {
            return Optional.of(Files.readString(root.resolve(file)));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%d MiB", bytes >> 20);
    }
}
