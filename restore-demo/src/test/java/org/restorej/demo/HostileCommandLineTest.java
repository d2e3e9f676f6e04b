package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.testing.CommandRun;
import org.restorej.cli.testing.HostileCommandLines;

class HostileCommandLineTest extends HostileCommandLines {
    @ParameterizedTest
    @ValueSource(strings = {"demo --pes",
            "demo --replication",
            "demo --iterations",
            "demo --repeat",
            "demo --restarts"})
    void numbersHaveTheDigits0To9(String beginning) {
        assertWantsANumber(beginning);
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --files",
            "demo --site-values",
            "demo --picture",
            "demo --tree FILE --alignment",
            "demo --tree"})
    void pathsHaveACharacterAndNoNul(String beginning) {
        assertWantsAPath(beginning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"demo --fresh | --fresh needs --files",
            "demo --repeat 2147483647 | --repeat times the number of patterns must be at most",
            "demo --files FILE/x | --files must be a directory that can be written",
            "demo --site-values FILE/x | --site-values must be a file that can be written",
            "demo --site-values EMPTY | --site-values must be a file that can be written",
            "demo --picture FILE/x.svg | --picture must be a file that can be written",
            "demo --alignment EMPTY --tree FILE | alignment is a directory",
            "demo --alignment FILE/x --tree FILE | alignment can't be read",
            "demo --restarts 1000 | --restarts must be in 0..999: --restarts=1000",
            "demo --pes 1 --pes 2 | '--pes'"})
    void refusesWhatCantBeMeantInOneLine(String line, String message) {
        assertRefusedFor(line, message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --pes 2 --iterations 2 --site-values",
            "demo --pes 2 --iterations 2 --json --site-values"})
    void aFullDiskIsToldInOneLineAfterTheResult(String beginning) {
        CommandRun run = run(beginning + " /dev/full");
        assertEquals(1, run.exitCode(), run::errors);
        assertTrue(run.output().contains("12"), run::output);
        String option = beginning.substring(beginning.lastIndexOf("--"));
        List<String> last = run.errors().lines().toList();
        assertEquals("restore: " + option + " can't be written: /dev/full (No space left on device)", last.getLast());
        assertPlain(run);
    }

    @Test
    void aFailedRunIsToldInOneLineAndItsStackOnRequest() throws IOException {
        Path files = folder.resolve("files");
        String line = "demo --pes 2 --iterations 2 --fail none --files " + files;
        assertEquals(0, run(line).exitCode());
        Files.delete(files.resolve("demo/checkpoint.2/1.loop"));
        Files.delete(files.resolve("demo/checkpoint.2/0.loop"));
        CommandRun run = run(line);
        assertEquals(1, run.exitCode(), run::errors);
        assertEquals("", run.output());
        assertTrue(run.errors().lines().toList().getLast().startsWith("restore: loading a loop failed: "),
                run::errors);
        assertPlain(run);
        CommandRun verbose = run(line + " --verbose");
        assertEquals(1, verbose.exitCode());
        assertTrue(verbose.errors().contains("\tat org.restorej."), verbose::errors);
    }
}
