package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.bench.c.CompiledFloor;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.Redset;
import org.restorej.redset.Scheme;

/** The program in C, compiled and run on small files; what it writes is compared with what the library writes. */
@Timeout(120)
class FileFloorTest {
    private static final int PROCESSES = 4;
    /** No multiple of anything. */
    private static final String BYTES = "100003";

    @TempDir
    private static Path compiled = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private Path program = Path.of("");

    private record Run(int exitCode, String output) {}

    @BeforeEach
    void compiles() {
        assertNotNull(CompiledFloor.class.getResource("/file_floor.c"), "the code is among the resources");
        program = compiled.resolve("file_floor");
        if (!Files.exists(program)) {
            try {
                program = CompiledFloor.FILES.compile(compiled);
            } catch (IOException missing) {
                System.err
                        .println("################ NOT TESTED: the floor of protected files: " + missing.getMessage());
                Assumptions.abort(missing.getMessage());
            }
        }
    }

    private Run run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--directory", folder.toString()));
        command.addAll(List.of(arguments));
        Path output = compiled.resolve("output");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        boolean ended = process.waitFor(100, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertTrue(ended, "it has ended");
        return new Run(process.exitValue(), Files.readString(output));
    }

    private Run keep(String scheme, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("--bytes", BYTES, "--piece", "8192", "--rounds", "2", "--keep",
                "--scheme", scheme));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"XOR, base", "RS, base", "PARTNER, base", "RS, shared+spare"})
    void writesTheRedundancyThatTheLibraryWrites(String scheme, String way) throws IOException, InterruptedException {
        Run run = keep(scheme, "--way", way);
        assertEquals(0, run.exitCode(), run::output);
        Scheme same = scheme.equals("XOR") ? Scheme.xor() : scheme.equals("RS") ? Scheme.rs(2) : Scheme.partner(1);
        List<byte[]> written = LocalCluster.run(PROCESSES, world -> {
            try (Redset redset = Redset.builder(world).scheme(same).setSize(PROCESSES)
                    .directory(Files.createDirectory(folder.resolve("of." + world.rank())))
                    .failureGroup("rank " + world.rank()).trustRecordedNames().build()) {
                redset.apply(List.of(folder.resolve("file." + world.rank())));
                for (Path each : redset.redundancyFiles()) {
                    if (String.valueOf(each.getFileName()).contains(".mem_") && each.toString().endsWith(".redset")) {
                        return Files.readAllBytes(each);
                    }
                }
                throw new IllegalStateException("no redundancy file: " + redset.redundancyFiles());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
        for (int rank = 0; rank < PROCESSES; rank++) {
            byte[] floor = Files.readAllBytes(folder.resolve("redundancy." + rank));
            byte[] library = written.get(rank);
            assertTrue(floor.length > 0 && library.length > floor.length, scheme);
            assertArrayEquals(Arrays.copyOfRange(library, library.length - floor.length, library.length), floor,
                    scheme + ", rank " + rank);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file.1", "redundancy.2", "sums.3"})
    void noticesWhatIsWrongInItsFiles(String name) throws IOException, InterruptedException {
        assertEquals(0, keep("RS").exitCode());
        assertEquals(new Run(0, ""), run("--bytes", BYTES, "--scheme", "RS", "--check"));
        Path damaged = folder.resolve(name);
        byte[] content = Files.readAllBytes(damaged);
        content[7] ^= 1;
        Files.write(damaged, content);
        Run run = run("--bytes", BYTES, "--scheme", "RS", "--check");
        assertEquals(1, run.exitCode(), run::output);
        assertTrue(run.output().startsWith("file_floor: check: ") && run.output().contains(name), run::output);
        try (FileChannel channel = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
            channel.truncate(5);
        }
        assertEquals(1, run("--bytes", BYTES, "--scheme", "RS", "--check").exitCode());
    }

    @ParameterizedTest
    @CsvSource({"XOR, 2", "XOR, 5", "RS, 3", "RS, 6", "PARTNER, 2", "PARTNER, 4"})
    void rebuildsWhatIsLostByEachWayAndLeavesNothing(String scheme, int processes)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("--bytes", "30001", "--piece", "4096", "--rounds", "3",
                "--processes", Integer.toString(processes), "--scheme", scheme));
        List<String> ways = List.of("base", "shared+spare");
        ways.forEach(way -> arguments.addAll(List.of("--way", way)));
        Run run = run(arguments.toArray(String[]::new));
        assertEquals(0, run.exitCode(), run::output);
        assertEquals(2L * ways.size(), run.output().lines().filter(line -> line.matches(
                scheme + " (apply|recover) \\S+ first [0-9.]+ third [0-9.]+ rounds( [0-9.]+){3}")).count(),
                run::output);
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void overwritesTheFileOfTheGenerationBeforeTheLast() throws IOException, InterruptedException {
        assertEquals(0, keep("XOR", "--way", "shared+spare").exitCode());
        try (Stream<Path> left = Files.list(folder)) {
            Set<String> names = left.map(each -> String.valueOf(each.getFileName())).collect(Collectors.toSet());
            assertTrue(names.contains("redundancy.2.spare"), names::toString);
            assertTrue(names.stream().noneMatch(each -> each.endsWith(".new")), names::toString);
        }
    }

    @Test
    void saysEverythingThatIsWrongWithItsOptions() throws IOException, InterruptedException {
        Run run = run("--processes", "65", "--bytes", "0x", "--rounds", "0", "--piece", "5000", "--scheme", "RAID",
                "--way", "fast", "--directory", "/nowhere", "more");
        assertEquals(2, run.exitCode(), run::output);
        for (String said : List.of("--processes must be in 1..64: --processes=65",
                "--bytes must be in 1..1099511627776: --bytes=0x", "--rounds must be in 1..1000: --rounds=0",
                "--piece must be a multiple of 4096: --piece=5000",
                "--scheme must be XOR, RS or PARTNER: --scheme=RAID", "--way must be base or shared+spare: --way=fast",
                "--directory must be a directory: --directory=/nowhere",
                "there are no arguments besides options: more")) {
            assertTrue(run.output().contains("file_floor: " + said + "\n"), () -> said + " in " + run.output());
        }
        assertTrue(run.output().contains("\nusage: file_floor "), run::output);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"--scheme RS --processes 2; --processes must be at least 3 with RS",
            "--scheme XOR --scheme RS --keep; --check and --keep go with one scheme and one way"})
    void refusesWhatDoesNotGoTogether(String arguments, String said) throws IOException, InterruptedException {
        Run run = run(arguments.split(" ", -1));
        assertEquals(2, run.exitCode(), run::output);
        assertTrue(run.output().startsWith("file_floor: " + said), run::output);
    }

    @Test
    void measuresEachSchemeByBothWaysAndTellsCallsApart() throws IOException {
        List<Measurement> measurements = FileFloor.run(program, PROCESSES, 10_000, folder).measurements();
        Set<List<String>> found = new HashSet<>();
        for (Measurement each : measurements) {
            assertEquals("4", each.key().param("pes"));
            assertEquals("10000", each.key().param("bytes"));
            assertTrue(each.least() > 0, each::toString);
            assertEquals(each.key().param("calls").equals("later") ? FileLife.TURNS - 3 : 1, each.samples().size());
            found.add(List.of(each.key().shortName(), each.key().param("scheme"), each.key().param("method"),
                    each.key().param("calls")));
        }
        assertEquals(2 * 2 * 2 * 3, measurements.size());
        assertEquals(2 * 2 * 2 * 3, found.size());
        assertTrue(found.contains(List.of("FileLife.recover", "RS", "lower bound (C), shared+spare", "3")),
                found::toString);
    }

    @Test
    void readsTimesAndMergesThoseOfSeveralRuns() throws IOException {
        String printed = "XOR apply base first 5.00 third 3.00 later 2.50 rounds 5.00 4.00 3.00 2.00 3.00\n";
        JmhResults once = FileFloor.results(printed, 4, 64);
        List<Measurement> twice = JmhResults.merge(List.of(once, FileFloor.results(printed, 4, 64))).measurements();
        assertEquals(List.of(2.0, 3.0, 2.0, 3.0), twice.stream()
                .filter(each -> each.key().param("calls").equals("later")).findFirst().orElseThrow().samples());
        assertEquals(3, twice.size());
        IOException wrong = assertThrows(IOException.class, () -> FileFloor.results("Segmentation fault\n", 4, 64));
        assertEquals("file_floor has printed what is no line of times: Segmentation fault", wrong.getMessage());
    }

    @Test
    void saysWhyTheProgramHasFailed() {
        IOException failure = assertThrows(IOException.class,
                () -> FileFloor.run(program, PROCESSES, 64, folder.resolve("absent")));
        assertTrue(String.valueOf(failure.getMessage()).contains("--directory must be a directory"),
                failure::toString);
    }
}
