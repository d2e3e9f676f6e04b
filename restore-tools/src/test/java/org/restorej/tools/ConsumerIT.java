package org.restorej.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** What the examples have left, which -Pconsumers has built by the guide's commands, with the libraries of a repository. */
class ConsumerIT {
    private static final Path CONSUMERS = Path.of("target", "consumers").toAbsolutePath();
    private static final int MOST_BYTES = 10_000_000;
    private static final String FOUR_RANKS = "[0, 10, 20, 30]\n".repeat(4);

    @BeforeEach
    void haveBeenBuilt() {
        assumeTrue(Boolean.getBoolean("restorej.require.consumers"), "-Pconsumers builds them");
    }

    private static String log(String consumer) throws IOException {
        return Files.readString(CONSUMERS.resolve(consumer).resolve("build.log"));
    }

    @Test
    void runsOnThreads() throws IOException {
        assertTrue(log("consumer").contains(FOUR_RANKS), () -> "the log of consumer");
    }

    /** A PE fails in iteration 550. Data that didn't go back to iteration 500 would have fewer numbers of two divisors. */
    @Deep
    @ParameterizedTest
    @ValueSource(strings = {"consumer-kotlin", "consumer-scala"})
    void runsInAnotherLanguage(String consumer) throws IOException {
        String log = log(consumer);
        assertTrue(log.contains("3 of 4 PEs: 168 primes up to 1000"), log);
    }

    /** The command line's libraries are none of a program's business, nor are 24 MB of fastutil. */
    @Test
    void getsFewLibraries() throws IOException {
        try (Stream<Path> files = Files.list(CONSUMERS.resolve("consumer/target/lib"))) {
            List<Path> libraries = files.toList();
            String names = libraries.toString();
            for (String wanted : List.of("fastutil-core", "restore-core", "restore-redset")) {
                assertTrue(names.contains(wanted), names);
            }
            assertTrue(Stream.of("picocli", "jackson").noneMatch(names::contains), names);
            long bytes = 0;
            for (Path library : libraries) {
                bytes += Files.size(library);
            }
            assertTrue(bytes < MOST_BYTES, names + " have " + bytes + " bytes");
        }
    }

    @Test
    void runsUnderOpenMpi() throws IOException, InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        Path consumer = CONSUMERS.resolve("consumer");
        ProcessRun run = ProcessRun.script(Map.of(), "mpirun-java", "-n", "4", "--cp",
                consumer.resolve("target/classes") + ":" + consumer.resolve("target/lib/*"), "Consumer");
        assertEquals(0, run.exitCode(), run::describe);
        assertEquals(FOUR_RANKS, run.output());
    }
}
