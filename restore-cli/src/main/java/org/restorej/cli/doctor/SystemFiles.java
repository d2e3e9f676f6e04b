package org.restorej.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What Linux says about memory, in files.
 *
 * @param root the folder that has {@code proc}, {@code sys} and {@code dev}: {@code /} but in tests
 */
record SystemFiles(Path root) {
    private static final String HUGE_PAGES = "huge pages";
    private static final String SHARED_MEMORY = "shared memory";
    private static final String LOCKED_MEMORY = "locked memory";
    private static final String FASTER = "fewer TLB misses in large replica memory";
    private static final String SAME_NODE = "messages between ranks of one node";
    private static final String NETWORK = "InfiniBand and other networks with RDMA";
    /** Open MPI takes 4 to 16 MiB a rank, and a cluster's node has about as many ranks as processors. */
    private static final long SHARED_BYTES_PER_RANK = 16L << 20;
    private static final String LOCKED_LINE = "Max locked memory";

    /** Can the memory of the store, which malloc gives, be of huge pages? */
    Finding hugePages() {
        Optional<String> modes = text("sys/kernel/mm/transparent_hugepage/enabled");
        if (modes.isEmpty()) {
            return Finding.unknown(HUGE_PAGES, "this system doesn't say whether it has transparent huge pages", FASTER);
        }
        if (modes.get().contains("[always]")) {
            return Finding.ok(HUGE_PAGES, "transparent, for all memory", FASTER);
        }
        if (modes.get().contains("[madvise]")) {
            // Since glibc 2.35: malloc then asks for huge pages itself.
            return Optional.ofNullable(System.getenv("GLIBC_TUNABLES")).orElse("").contains("glibc.malloc.hugetlb=1")
                    ? Finding.ok(HUGE_PAGES, "transparent, asked for by GLIBC_TUNABLES", FASTER)
                    : Finding.limited(HUGE_PAGES, "transparent, only for programs that ask for them", FASTER,
                            "export GLIBC_TUNABLES=glibc.malloc.hugetlb=1");
        }
        return Finding.limited(HUGE_PAGES, "switched off", FASTER,
                "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root)");
    }

    /** Is there enough shared memory for a rank on each processor? */
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

    /** May memory be locked, as networks with RDMA need it? */
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
