package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.testing.ProcessRun;

/** A pull that is a JVM's first finds its code there: told by the JVM itself, which logs the classes that it loads. */
class RecoveryWarmupTest {
    private static final String MARK = "the first pull begins";

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void theFirstPullLoadsNoClassesOfTheExchange() throws IOException, InterruptedException {
        Output output = run();
        assertFalse(loadedExchange(output.early()).isEmpty(), "the JVM says what it loads");
        assertEquals(List.of(), loadedExchange(output.late()));
    }

    /** What a JVM prints before its first pull and after. */
    private record Output(List<String> early, List<String> late) {}

    private static Output run() throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m", "-XX:+UseSerialGC",
                "-Xlog:class+load", "-cp", System.getProperty("java.class.path"),
                FirstPull.class.getName());
        ProcessRun jvm = ProcessRun.of(new ProcessBuilder(command).redirectErrorStream(true));
        assertEquals(0, jvm.exitCode(), jvm::describe);
        List<String> lines = jvm.output().lines().toList();
        int mark = lines.indexOf(MARK);
        assertTrue(mark > 0, "the pull was reached");
        return new Output(lines.subList(0, mark), lines.subList(mark, lines.size()));
    }

    private static List<String> loadedExchange(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains(" org.restorej.internal.transfer.")
                        || line.contains(" org.restorej.internal.storage."))
                .toList();
    }

    /** A program that submits and pulls once. */
    static final class FirstPull {
        private static final long BLOCKS = 100;

        private FirstPull() {}

        public static void main(String[] args) {
            LocalCluster.run(1, FirstPull::pull);
        }

        private static boolean pull(Communicator world) {
            TestBlocks content = new TestBlocks(8, 1);
            try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(1).build()) {
                store.submit(BlockRange.of(0, BLOCKS), content::write);
                BlockRanges all = BlockRanges.of(0, BLOCKS);
                byte[] destination = new byte[(int) BLOCKS * 8];
                System.out.println(MARK);
                store.pull(all, MemorySegment.ofArray(destination));
            }
            return true;
        }
    }
}
