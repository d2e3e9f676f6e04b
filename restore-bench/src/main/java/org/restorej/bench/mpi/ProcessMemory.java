package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How much memory this process has, as Linux counts it: heap, off-heap memory and the JVM's own; 0 elsewhere. */
final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMemory() {}

    /** Now. */
    static long residentBytes() {
        return bytes("VmRSS:");
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
