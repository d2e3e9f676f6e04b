package org.restorej.cli.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.redset.ScrFiles;
import org.restorej.redset.Vectors;

/** A directory of the wrong level has no sets, and the one that is meant is named. */
class WrongDirectoryTest {
    @TempDir
    private Path folder = Path.of("");

    private void assertNames(Path meant, Path given) throws IOException {
        Files.createDirectories(given);
        for (String command : new String[]{"info", "list", "verify", "rebuild"}) {
            RedsetRun.of(command, given).assertExit(RedsetCommand.USAGE).assertSays(
                    "no redundancy set was found: " + given, "DIR must have the files in itself, as " + meant + " has");
        }
    }

    @ParameterizedTest
    @CsvSource({"a", "a/b", "a/b/c/enc/d", "a/b/c/enc/d/e"})
    void aDirectoryAboveOrBelowNamesThatOfTheSets(String given) throws IOException {
        Vectors.named("xor_p3").copyTo(folder.resolve("a/b/c"));
        assertNames(folder.resolve("a/b/c/enc"), folder.resolve(given));
    }

    @ParameterizedTest
    @CsvSource({"a, a/b", "a/b/.scr/scr.dataset.6/c, a/b/.scr/scr.dataset.6"})
    void aDirectoryAboveOrBelowNamesThatOfFilesOfScr(String given, String meant) throws IOException {
        ScrFiles.wholeJob(3, 100).write(folder.resolve("a/b"), folder.resolve("a/b/.scr/scr.dataset.6"));
        assertNames(folder.resolve(meant), folder.resolve(given));
    }

    @Test
    void noOtherDirectoryIsNamedWhereNoneHasSets() throws IOException {
        RedsetRun.of("info", Files.createDirectory(folder.resolve("empty"))).assertExit(RedsetCommand.USAGE)
                .assertSaysNot("DIR must have");
    }
}
