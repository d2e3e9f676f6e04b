package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

    @Test
    void drawsARun() throws IOException {
        SvgText svg = drawn(0, PHYLO + "--pes 4 --fail 0@2,3@5 --picture");
        assertEquals(List.of("phylo on 4 PEs (threads), each block on 3 of them"), svg.all("title"));
        assertNotes(svg, "PE 0 fails in iteration 2, recovered after", "PE 3 fails in iteration 5, recovered after",
                "log-likelihood");
    }

    @Test
    void drawsARunThatLosesData() throws IOException {
        SvgText svg = drawn(1, PHYLO + "--pes 4 --replication 2 --fail 1@3,3@3 --picture");
        assertNotes(svg, "PEs 1 and 3 fail in iteration 3, data lost");
        assertTrue(svg.all("text").containsAll(List.of("PE 0", "PE 1", "PE 2", "PE 3")));
    }

    @Test
    void reportsTheSameResultWithAPictureAsWithout() throws IOException {
        String options = PHYLO + "--json --fail 2@2,6@4";
        assertEquals(CommandRun.of(options).json().get("logLikelihood"),
                CommandRun.of(options + " --picture " + folder.resolve("run.png")).json().get("logLikelihood"));
        assertTrue(ImageIO.read(folder.resolve("run.png").toFile()).getWidth() > 1000);
    }
}
