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
    private static final String HUGE_PAGES = "huge pages";
    private static final String SHARED_MEMORY = "shared memory";
    private static final String LOCKED_MEMORY = "locked memory";
    private static final String FASTER = "fewer TLB misses in large replica memory";
    private static final String SAME_NODE = "messages between ranks of one node";
    private static final String NETWORK = "InfiniBand and other networks with RDMA";
    /** Open MPI needs 4 to 16 MiB for each rank, and a cluster node has about as many ranks as processors. */
    private static final long SHARED_BYTES_PER_RANK = 16L << 20;
    private static final String LOCKED_LINE = "Max locked memory";

    /** Whether the store's memory, which malloc allocates, can be on huge pages. */
    Finding hugePages() {
        Optional<String> modes = text("sys/kernel/mm/transparent_hugepage/enabled");
        if (modes.isEmpty()) {
            return Finding.unknown(HUGE_PAGES, "this system doesn't say whether it has transparent huge pages", FASTER);
        }
        if (modes.get().contains("[always]")) {
            return Finding.ok(HUGE_PAGES, "transparent, for all memory", FASTER);
        }
        if (modes.get().contains("[madvise]")) {
            // Since glibc 2.35 malloc then requests huge pages itself.
            return Optional.ofNullable(System.getenv("GLIBC_TUNABLES")).orElse("").contains("glibc.malloc.hugetlb=1")
                    ? Finding.ok(HUGE_PAGES, "transparent, asked for by GLIBC_TUNABLES", FASTER)
                    : Finding.limited(HUGE_PAGES, "transparent, only for programs that ask for them", FASTER,
                            "export GLIBC_TUNABLES=glibc.malloc.hugetlb=1");
        }
        return Finding.limited(HUGE_PAGES, "switched off", FASTER,
                "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root)");
    }

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
