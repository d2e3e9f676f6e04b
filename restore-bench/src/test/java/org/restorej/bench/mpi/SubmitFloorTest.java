package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.bench.c.CompiledC;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;

/** The program in C, compiled and run on a few bytes; it checks itself whatever has arrived. */
@Timeout(120)
class SubmitFloorTest {
    @TempDir
    private static Path compiled = Path.of("");

    private static Path program() {
        assertNotNull(SubmitFloor.class.getResource("/submit_floor.c"), "the code is among the resources");
        Path program = compiled.resolve("submit_floor");
        if (!Files.exists(program)) {
            try {
                return SubmitFloor.compile(compiled);
            } catch (IOException missing) {
                System.err.println("################ NOT TESTED: the floor of submits: " + missing.getMessage());
                Assumptions.abort(missing.getMessage());
            }
        }
        return program;
    }

    @Test
    void saysWhichCompilerIsMissing() {
        IOException missing = assertThrows(IOException.class, () -> SubmitFloor.compile("no-such-cc", compiled));
        assertTrue(String.valueOf(missing.getMessage()).contains("no-such-cc"), missing::toString);
    }

    @ParameterizedTest
    @CsvSource({"2, 100", "4, 1048576", "3, 1000003", "5, 2000000"})
    void tellsTheTimesOfAllCallsOfEachWay(int processes, long bytes) throws IOException {
        List<Measurement> measured = SubmitFloor.run(program(), processes, bytes, 22).measurements();
        assertEquals(
                List.of("submit lower bound (C) 1", "submit lower bound (C) 2 to 20", "submit lower bound (C) later",
                        "submit lower bound (C), shared memory 1", "submit lower bound (C), shared memory 2 to 20",
                        "submit lower bound (C), shared memory later", "wholes lower bound (C) 1",
                        "wholes lower bound (C) 2 to 20",
                        "wholes lower bound (C) later", "wholes lower bound (C), shared memory 1",
                        "wholes lower bound (C), shared memory 2 to 20", "wholes lower bound (C), shared memory later"),
                measured.stream().map(each -> each.key().shortName().replace("JobLife.", "") + " "
                        + each.key().param(BenchmarkKey.METHOD) + " " + each.key().param(JobLife.CALLS)).sorted()
                        .collect(Collectors.toList()));
        assertTrue(measured.stream().allMatch(each -> each.key().param("pes").equals(Integer.toString(processes))
                && each.key().param("bytes").equals(Long.toString(bytes))), measured::toString);
    }

    @ParameterizedTest
    @CsvSource({"1, 64, --processes must be 2 to 64: --processes=1",
            "65, 64, --processes must be 2 to 64: --processes=65", "4, 0, --bytes must be 1 to 17179869184: --bytes=0"})
    void saysWhatIsWrong(int processes, long bytes, String error) {
        Path program = program();
        IOException failure = assertThrows(IOException.class, () -> SubmitFloor.run(program, processes, bytes, 3));
        assertTrue(String.valueOf(failure.getMessage()).contains("submit_floor: " + error), failure::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "shared"})
    void findsAWrongByte(String way) {
        Path program = program();
        IOException failure = assertThrows(IOException.class, () -> CompiledC.output(List.of(program.toString(),
                "--bytes", "300000", "--rounds", "3", "--way", way, "--damage")));
        assertTrue(String.valueOf(failure.getMessage())
                .contains("submit_floor: process 0 got a wrong byte at 299999 in round 0"), failure::toString);
    }

    @Test
    void refusesWhatItsProgramDoesNotPrint() {
        IOException failure = assertThrows(IOException.class,
                () -> SubmitFloor.results("submit copy rounds 1.0 2.0\nwholes fast\n", 4, 64));
        assertTrue(String.valueOf(failure.getMessage()).contains("wholes fast"), failure::toString);
    }
}
