package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Command lines that nobody means: each is refused, or fails, in plain lines and with the right exit code. */
class HostileCommandLineTest {
    @TempDir
    private Path folder = Path.of("");

    private String file = "";
    private String empty = "";

    @BeforeEach
    void makeFiles() throws IOException {
        file = Files.writeString(folder.resolve("file"), "text\n").toString();
        empty = Files.createDirectory(folder.resolve("empty")).toString();
    }

    /** Words FILE and EMPTY stand for a regular file and an empty folder, NUL for that character, NOTHING for no character. */
    private CommandRun run(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
            words.add(word.replace("FILE", file).replace("EMPTY", empty).replace("NUL", "\0").replace("NOTHING", ""));
        }
        return CommandRun.of(words.toArray(String[]::new));
    }

    private static void assertPlain(CommandRun run) {
        assertFalse(run.errors().contains("\tat "), run::errors);
        assertFalse(run.errors().contains("Usage:"), run::errors);
    }

    private void assertRefused(String line, String... messages) {
        CommandRun run = run(line);
        assertEquals(2, run.exitCode(), run::errors);
        assertEquals("", run.output());
        for (String message : messages) {
            assertTrue(run.errors().contains(message), () -> message + " is not in\n" + run.errors());
        }
        assertEquals(messages.length, run.errors().lines().count(), run::errors);
        assertPlain(run);
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --pes", "demo --replication", "demo --fail-random", "demo --seed",
            "demo --iterations",
            "demo --repeat", "demo kmeans --points", "demo kmeans --dimensions", "demo kmeans --clusters",
            "demo pagerank --vertices", "demo pagerank --edges", "demo pagerank --damping",
            "plan --bytes-per-pe 1MiB --pes", "plan --pes 8 --bytes-per-pe 1MiB --mtbf-node 1y --hours",
            "simulate --pes 8 --replication", "simulate --pes 8 --replication 2 --trials",
            "bench --no-jvm --no-mpi --iterations",
            "redset info EMPTY --threads"})
    void numbersHaveTheDigits0To9(String beginning) {
        String option = beginning.substring(beginning.lastIndexOf("--"));
        for (String wrong : List.of("١٢", "NOTHING", "0x10", "NaN", "1_000", "99999999999999999999x")) {
            assertRefusedFor(beginning + " " + wrong, "'" + option + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --checkpoint", "demo --restart", "demo --site-values", "demo --picture",
            "demo --tree FILE --alignment", "demo --tree", "demo pagerank --graph", "demo pagerank --ranks",
            "plan --pes 8 --bytes-per-pe 1MiB --plot", "simulate --pes 8 --replication 2 --plot",
            "bench --no-jvm --no-mpi --out",
            "bench --no-jvm --no-mpi --compare", "bench --no-jvm --no-mpi --results",
            "bench --no-jvm --no-mpi --directory", "redset info", "redset info EMPTY --threads 0 --base",
            "redset verify EMPTY --threads 0 --allow"})
    void pathsHaveACharacterAndNoNul(String beginning) {
        for (String wrong : List.of("NOTHING", "aNULb")) {
            assertRefusedFor(beginning + " " + wrong, "a path must ");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"demo --scheme rs | --scheme needs --checkpoint",
            "demo --repeat 2147483647 | --repeat times the number of patterns must be at most",
            "demo --checkpoint FILE/x | --checkpoint must be a directory that can be written",
            "demo --site-values FILE/x | --site-values must be a file that can be written",
            "demo --site-values EMPTY | --site-values must be a file that can be written",
            "demo --picture FILE/x.svg | --picture must be a file that can be written",
            "demo pagerank --ranks FILE/x | --ranks must be a file that can be written",
            "demo pagerank --damping Infinity | '--damping'",
            "demo --alignment EMPTY --tree FILE | alignment is a directory",
            "demo --alignment FILE/x --tree FILE | alignment can't be read",
            "demo --pes 1 --pes 2 | '--pes'",
            "bench --no-jvm --no-mpi --bytes 999999999999GiB | --bytes must be at most",
            "bench --no-jvm --no-mpi --only NOTHING | --only must not be empty",
            "bench --no-jvm --no-mpi --out FILE/x | --out must be a directory",
            "redset info EMPTY/nothere | DIR must be a directory", "redset verify FILE | DIR must be a directory",
            "redset info EMPTY --threads 0 | --threads must be in 1..", "redset info | 'DIR'",
            "redset info EMPTY --threads 2147483647 | --threads must be in 1..",
            "redset | a command is needed after 'restore redset': one of info"})
    void refusesWhatCantBeMeantInOneLine(String line, String message) {
        assertRefusedFor(line, message);
    }

    private void assertRefusedFor(String line, String message) {
        CommandRun run = run(line);
        assertEquals(2, run.exitCode(), run::errors);
        assertEquals("", run.output());
        assertTrue(run.errors().contains(message), run::errors);
        assertTrue(run.errors().lines().count() <= 3, run::errors);
        assertPlain(run);
    }

    @Test
    void redsetSaysEveryMistakeAtOnceAndNoUsage() {
        assertRefused("redset rebuild EMPTY/nothere more --nonsense --threads 0 --base FILE", "'more', '--nonsense'",
                "DIR must be a directory: " + empty + "/nothere", "--base must be a directory: " + file,
                "--threads must be in 1..1024: --threads=0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "list", "verify", "rebuild"})
    void saysOnStandardErrorThatThereIsNoSet(String command) throws IOException {
        assertRefused("redset " + command + " EMPTY", "no redundancy set was found: " + empty);
        CommandRun json = run("redset " + command + " --json EMPTY");
        assertEquals(2, json.exitCode());
        assertEquals(2, new ObjectMapper().readTree(json.output()).get("exitCode").asInt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --pes 2 --iterations 2 --site-values",
            "demo --pes 2 --iterations 2 --json --site-values",
            "demo pagerank --pes 2 --iterations 2 --vertices 10000 --ranks"})
    void aFullDiskIsToldInOneLineAfterTheResult(String beginning) {
        CommandRun run = run(beginning + " /dev/full");
        assertEquals(1, run.exitCode(), run::errors);
        assertTrue(run.output().contains("pagerank") || run.output().contains("12"), run::output);
        String option = beginning.substring(beginning.lastIndexOf("--"));
        List<String> last = run.errors().lines().toList();
        assertEquals("restore: " + option + " can't be written: /dev/full (No space left on device)", last.getLast());
        assertPlain(run);
    }

    @Test
    void aFailedRunIsToldInOneLineAndItsStackOnRequest() throws IOException {
        Path files = Files.createDirectory(folder.resolve("checkpoint"));
        Files.writeString(files.resolve("phylo"), "in the way of a folder");
        String line = "demo --pes 2 --iterations 2 --fail-random 0 --checkpoint " + files;
        CommandRun run = run(line);
        assertEquals(1, run.exitCode(), run::errors);
        assertEquals("", run.output());
        assertTrue(run.errors().lines().toList().getLast().startsWith("restore: save failed: on rank 0: "),
                run::errors);
        assertPlain(run);
        CommandRun verbose = run(line + " --verbose");
        assertEquals(1, verbose.exitCode());
        assertTrue(verbose.errors().contains("\tat org.restorej."), verbose::errors);
    }
}
