package org.restorej.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Checks the memory through which the ranks of a node exchange messages.
 *
 * @param folder where it is mounted: {@code /dev/shm} except in tests
 */
record SharedMemory(Path folder) {
    private static final String NAME = "shared memory";
    private static final String SAME_NODE = "messages between ranks of one node";
    /** Open MPI needs 4 to 16 MiB for each rank, and a cluster node has about as many ranks as processors. */
    private static final long BYTES_PER_RANK = 16L << 20;

    /** Whether there is enough shared memory for a rank on each processor. */
    Finding finding(int processors) {
        long wanted = BYTES_PER_RANK * processors;
        try {
            long usable = Files.getFileStore(folder).getUsableSpace();
            String found = mebibytes(usable) + " free in /dev/shm";
            return usable >= wanted
                    ? Finding.ok(NAME, found, SAME_NODE)
                    : Finding.limited(NAME, found + ", too little for " + processors + " ranks", SAME_NODE,
                            "mount -o remount,size=" + (wanted >> 20)
                                    + "M /dev/shm (as root; with Docker, start with --shm-size)");
        } catch (IOException absent) {
            return Finding.missing(NAME, "no /dev/shm", SAME_NODE,
                    "mkdir -p /dev/shm && mount -t tmpfs tmpfs /dev/shm (as root)");
        }
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%d MiB", bytes >> 20);
    }
}
