package org.restorej.cli.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Command lines that nobody means: each is refused, or fails, in plain lines and with the right exit code. */
public abstract class HostileCommandLines {
    @TempDir
    protected Path folder = Path.of("");

    /** Of a regular file. */
    protected String file = "";
    /** Of an empty folder. */
    protected String empty = "";

    @BeforeEach
    final void makeFiles() throws IOException {
        file = Files.writeString(folder.resolve("file"), "text\n").toString();
        empty = Files.createDirectory(folder.resolve("empty")).toString();
    }

    /**
     * Words FILE and EMPTY stand for a regular file and an empty folder, NUL for that character, NOTHING for no
     * character.
     */
    protected final CommandRun run(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
            words.add(word.replace("FILE", file).replace("EMPTY", empty).replace("NUL", "\0").replace("NOTHING", ""));
        }
        return CommandRun.of(words.toArray(String[]::new));
    }

    /** Neither a stack nor how the command is used. */
    protected static void assertPlain(CommandRun run) {
        assertFalse(run.errors().contains("\tat "), run::errors);
        assertFalse(run.errors().contains("Usage:"), run::errors);
    }

    private CommandRun refused(String line) {
        CommandRun run = run(line);
        assertEquals(2, run.exitCode(), run::errors);
        assertEquals("", run.output());
        return run;
    }

    /** Refuses a command line with these messages, a line each, and says nothing else. */
    protected final void assertRefused(String line, String... messages) {
        CommandRun run = refused(line);
        for (String message : messages) {
            assertTrue(run.errors().contains(message), () -> message + " is not in\n" + run.errors());
        }
        assertEquals(messages.length, run.errors().lines().count(), run::errors);
        assertPlain(run);
    }

    /** Refuses a command line in at most three lines, one of which has the message. */
    protected final void assertRefusedFor(String line, String message) {
        CommandRun run = refused(line);
        assertTrue(run.errors().contains(message), run::errors);
        assertTrue(run.errors().lines().count() <= 3, run::errors);
        assertPlain(run);
    }

    /** Refuses values of a number's option, whose name the beginning ends with. */
    protected final void assertWantsANumber(String beginning) {
        String option = beginning.substring(beginning.lastIndexOf("--"));
        for (String wrong : List.of("١٢", "NOTHING", "0x10", "NaN", "1_000", "99999999999999999999x")) {
            assertRefusedFor(beginning + " " + wrong, "'" + option + "'");
        }
    }

    /** Refuses values of a path's option, or parameter, behind the beginning. */
    protected final void assertWantsAPath(String beginning) {
        for (String wrong : List.of("NOTHING", "aNULb")) {
            assertRefusedFor(beginning + " " + wrong, "a path must ");
        }
    }
}
