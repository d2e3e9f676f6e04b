package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private record Run(int exitCode, String output, String errors) {
        static Run of(String... arguments) {
            StringWriter output = new StringWriter();
            StringWriter errors = new StringWriter();
            CommandLine command = new CommandLine(new BenchCommand());
            command.setOut(new PrintWriter(output, true));
            command.setErr(new PrintWriter(errors, true));
            command.getCommandSpec().parser().collectErrors(true);
            return new Run(command.execute(arguments), output.toString(), errors.toString());
        }
    }

    private String results(String name, String times) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, """
                [{"benchmark": "org.restorej.bench.mpi.SubmitBenchmark.run", "params": {"pes": "4"},
                  "primaryMetric": {"scoreUnit": "ms/op", "rawData": [[%s]]}}]
                """.formatted(times));
        return file.toString();
    }

    @Test
    void saysEverythingThatIsWrongAtOnce() {
        Run run = Run.of("--pes", "0,x", "--bytes", "1MB", "--iterations", "0", "--only", "(",
                "--directory", "/nowhere", "--compare", "/nowhere/old.json", "--colour");
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals("", run.output());
        List<String> lines = run.errors().lines().toList();
        assertTrue(lines.stream().allMatch(line -> line.startsWith("bench: ")), run::toString);
        for (String option : List.of("--pes", "--bytes", "--iterations", "--only", "--directory",
                "--compare", "--colour")) {
            assertTrue(lines.stream().anyMatch(line -> line.contains(option)), option + ": " + run);
        }
    }

    @Test
    void refusesALifeOfNoJobs() {
        Run run = Run.of("--life=0");
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals("bench: --life must be at least 1: --life=0\n", run.errors());
    }

    @ParameterizedTest
    @CsvSource({"--cpp, restore/core.hpp", "--redset, include/redset.h"})
    void refusesAFolderWithoutTheHeadersOfARival(String option, String header) throws IOException {
        Run run = Run.of("--life", option, folder.toString());
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals(
                List.of("bench: " + option + " must be a folder that has " + header + ": " + option + "=" + folder),
                run.errors().lines().toList());
        Path there = folder.resolve(header);
        Files.createDirectory(Objects.requireNonNull(there.getParent()));
        Files.writeString(there, "");
        Run ofSuite = Run.of(option, folder.toString());
        assertEquals(2, ofSuite.exitCode(), ofSuite::toString);
        assertEquals(List.of("bench: " + option + " goes with --life only: " + option + "=" + folder),
                ofSuite.errors().lines().toList());
    }

    @Test
    void reportsOlderResultsAndComparesThem() throws IOException {
        String before = results("before.json", "1.0, 1.1, 1.2");
        Path out = folder.resolve("out");
        Run same = Run.of("--results", before, "--compare", before, "--out", out.toString());
        assertEquals(0, same.exitCode(), same::toString);
        assertTrue(Files.readString(out.resolve("report.md")).contains("1 of 1 are the same"), same::toString);
        Run slower = Run.of("--results", results("now.json", "2.0, 2.1, 2.2"), "--compare", before, "--out",
                out.toString());
        assertEquals(BenchCommand.SLOWER, slower.exitCode(), slower::toString);
        assertTrue(slower.output().contains("Submit (pes=4)"), slower::toString);
    }

    @Test
    void failsWhereThereIsNothingToMeasure() {
        Run run = Run.of("--only", "NoSuchThing", "--out", folder.resolve("out").toString());
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("--only=NoSuchThing"), run::toString);
    }
}
