package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.testing.CommandRun;
import org.restorej.cli.testing.SvgText;

/** Commands that draw. */
class PictureOptionTest {
    private static final String PHYLO = "demo phylo --iterations 6 ";

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void needsFonts() {
        SvgText.requireFonts();
    }

    private SvgText drawn(int exitCode, String command) throws IOException {
        Path file = folder.resolve("picture.svg");
        CommandRun run = CommandRun.of(command + " " + file);
        assertEquals(exitCode, run.exitCode(), run::errors);
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(file), files.toList());
        }
        SvgText svg = SvgText.of(file);
        svg.assertReadable();
        return svg;
    }

    private static void assertNotes(SvgText svg, String... beginnings) {
        List<String> texts = svg.all("text");
        for (String beginning : beginnings) {
            assertEquals(1, texts.stream().filter(text -> text.startsWith(beginning)).count(),
                    () -> beginning + " is not in " + texts);
        }
    }

    @ParameterizedTest
    @CsvSource("phylo --iterations 6, phylo, log-likelihood")
    void drawsARun(String demo, String name, String value) throws IOException {
        SvgText svg = drawn(0, "demo " + demo + " --pes 4 --fail 0@2,3@5 --picture");
        assertEquals(List.of(name + " on 4 PEs (threads), each block on 3 of them"), svg.all("title"));
        assertNotes(svg, "PE 0 fails in iteration 2, recovered after", "PE 3 fails in iteration 5, recovered after",
                value);
    }

    @Test
    void drawsARunThatLosesData() throws IOException {
        SvgText svg = drawn(1, PHYLO + "--pes 4 --replication 2 --fail 1@3,3@3 --picture");
        assertNotes(svg, "PEs 1 and 3 fail in iteration 3, data lost");
        assertTrue(svg.all("text").containsAll(List.of("PE 0", "PE 1", "PE 2", "PE 3")));
    }

    @Test
    void reportsTheSameResultWithAPictureAsWithout() throws IOException {
        String options = PHYLO + "--output json --fail 2@2,6@4";
        assertEquals(CommandRun.of(options).json().get("logLikelihood"),
                CommandRun.of(options + " --picture " + folder.resolve("run.png")).json().get("logLikelihood"));
        assertTrue(ImageIO.read(folder.resolve("run.png").toFile()).getWidth() > 1000);
    }

    @ParameterizedTest
    @CsvSource({"demo --pes 0 --picture, --picture, --pes",
            "demo phylo --repeat 0 --picture, --picture, --repeat"})
    void reportsFilesThatCantBeWrittenWithAllOtherMistakes(String command, String option, String other) {
        CommandRun run = CommandRun.of(command + " missing/run.jpg");
        assertEquals(2, run.exitCode());
        assertEquals("", run.output());
        for (String message : List.of(option + ": a picture's name must end in .svg or .png: missing/run.jpg",
                option + " must be a file that can be written: missing/run.jpg", other + " must be")) {
            assertTrue(run.errors().contains("restore: " + message), () -> message + " is not in\n" + run.errors());
        }
        assertEquals(3, run.errors().lines().count(), run::errors);
        assertFalse(run.errors().contains("\tat "), run::errors);
    }
}
