package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** Every collective benchmark, once, with few bytes: each checks what it has moved. */
class CollectiveBenchmarkIT {
    @TempDir
    private Path folder = Path.of("");

    private MpiResult run(int ranks, String... arguments) {
        MpiFlavour.OPEN_MPI.require();
        return MpiJob.of(RankMain.class, ranks)
                .vmOption("-D" + RankMain.DIRECTORY_PROPERTY + "=" + folder)
                .arguments(arguments).run();
    }

    @Deep // BenchCommandIT runs some of them every day, and each checks its bytes.
    @Test
    void movesTheRightBytesByEveryMethod() throws IOException {
        Path collective = folder.resolve("collective.json");
        Path barrier = folder.resolve("barrier.json");
        run(5, "bench\\.mpi", "-e", "FlippedBit", "-e", "Barrier", "-wi", "0", "-i", "1", "-p", "bytes=30720", "-rf",
                "json", "-rff", collective.toString(), RankMain.NEXT, "Barrier", "-wi", "0", "-i", "2", "-rf", "json",
                "-rff", barrier.toString()).requireSuccess();
        List<Measurement> measurements = JmhResults.read(collective);
        Set<String> benchmarks = measurements.stream().map(each -> each.key().shortName())
                .collect(Collectors.toSet());
        assertEquals(Set.of("Submit", "Changes", "Pull", "Loop", "Replenish", "Redset"), benchmarks);
        for (Measurement measurement : measurements) {
            assertEquals("5", measurement.key().param("pes"), measurement::toString);
            assertTrue(measurement.bytes().orElseThrow() > 0, measurement::toString);
        }
        assertEquals(2, JmhResults.read(barrier).getFirst().samples().size());
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(Set.of(collective, barrier), left.collect(Collectors.toSet()), "files that were left");
        }
    }

    @Deep
    @Test
    void failsForOneWrongBit() {
        Path results = folder.resolve("results.json");
        MpiResult result = run(2, "FlippedBit", "-wi", "0", "-i", "1", "-p", "bytes=6400", "-rf",
                "json", "-rff",
                results.toString());
        assertFalse(result.exitCode() == 0, result::describe);
        assertTrue(result.describe().contains("wrong bytes at offset 3200 of 6400"), result::describe);
    }
}
