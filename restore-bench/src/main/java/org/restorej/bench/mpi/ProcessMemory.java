package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How much memory this process has, as Linux counts it: heap, off-heap memory and the JVM's own; 0 elsewhere. */
final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path RESET = Path.of("/proc/self/clear_refs");

    private ProcessMemory() {}

    /** Now. */
    static long residentBytes() {
        return bytes("VmRSS:");
    }

    /** The most that it ever had, or since {@link #forgetPeak}. */
    static long peakBytes() {
        return bytes("VmHWM:");
    }

    /** Begins to look for a new peak; where Linux doesn't allow that, the old one stays, and the answer is false. */
    static boolean forgetPeak() {
        try {
            Files.writeString(RESET, "5");
            return true;
        } catch (IOException notAllowed) {
            return false;
        }
    }

    private static long bytes(String name) {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024).findFirst().orElse(0);
        } catch (IOException noLinux) {
            return 0;
        }
    }
}
