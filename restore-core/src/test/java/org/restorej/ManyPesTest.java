package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** Whole stores with many PEs in one JVM. */
class ManyPesTest {
    private static final int MAX_PES = 4096;
    private static final long MAX_BYTES = 8L << 30;
    private static final Duration TIMEOUT = Duration.ofMinutes(60);

    @Test
    void everythingIsReadBackByAFewHundred() {
        long before = NativeMemory.openBytes();
        ManyPesProgram program = new ManyPesProgram(256);
        assertEquals(256 - program.failures(), program.run());
        assertEquals(before, NativeMemory.openBytes());
    }

    /** In a JVM of its own, which says how much memory its process had at its peak. */
    @Deep
    @Test
    void everythingIsReadBackByThousandsWithinEightGibibytes() throws IOException, InterruptedException {
        Path peaks = Path.of("/proc/self/status");
        Assumptions.assumeTrue(Files.exists(peaks), "not tested: the peak of a process's memory is read from " + peaks);
        long memory = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        Assumptions.assumeTrue(memory >= 2 * MAX_BYTES, () -> "not tested: " + MAX_PES + " PEs need "
                + 2 * MAX_BYTES + " bytes of memory, here are " + memory);
        ProcessRun run = ProcessRun.of(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx2g", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                Main.class.getName()), TIMEOUT);
        assertEquals(0, run.exitCode(), run::describe);
        long peakBytes = Long.parseLong(run.output().lines().toList().getLast());
        assertTrue(peakBytes <= MAX_BYTES, () -> "its peak were " + peakBytes + " bytes");
    }

    /** What that JVM runs: writes the peak of its memory in bytes. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws IOException {
            ManyPesProgram program = new ManyPesProgram(MAX_PES);
            assertEquals(41, program.failures());
            assertEquals(MAX_PES - 41, program.run());
            System.out.println(Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:")).map(line -> line.replaceAll("\\D", ""))
                    .mapToLong(Long::parseLong).findFirst().orElseThrow() << 10);
        }
    }
}
