package org.restorej.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
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
class PlotOptionTest {
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
        return SvgText.of(file);
    }

    @Test
    void plotsAPlan() throws IOException {
        SvgText svg = drawn(0, "plan --pes 96 --ranks-per-node 4 --bytes-per-pe 1MiB --replication 2,3 --plot");
        assertEquals(List.of("probability of loss over failed nodes (of 24): K = 2, K = 3"), svg.all("desc"));
        assertEquals(List.of("Loss of data on 96 ranks, nothing replenished"), svg.all("title"));
        svg.assertReadable();
        // Failed nodes across, and upwards what is likely and what isn't.
        assertTrue(svg.all("text").containsAll(List.of("2", "4", "8", "16", "1")), () -> svg.all("text").toString());
        assertTrue(svg.numbers().size() >= 9, () -> svg.numbers().toString());
    }

    @Test
    void plotsAPlanAsPixels() throws IOException {
        Path file = folder.resolve("plan.png");
        CommandRun run = CommandRun.of("plan --pes 64 --bytes-per-pe 1MiB --plot " + file);
        assertEquals(0, run.exitCode(), run::errors);
        assertTrue(run.output().contains("replicas on a rank"), run::output);
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(1800, image.getWidth());
    }

    @Test
    void plotsASimulationBesideTheFormula() throws IOException {
        SvgText svg = drawn(0, "simulate --pes 64 --replication 2 --trials 50 --plot");
        assertEquals(List.of("probability of loss over failed ranks (of 64): formula, 50 trials, 95 %"),
                svg.all("desc"));
        svg.assertReadable();
        assertTrue(svg.all("text").containsAll(List.of("0", "0.2", "0.8", "2", "4", "8")),
                () -> svg.all("text").toString());
        assertEquals(
                List.of("probability of loss over failed ranks (of 64): 20 trials, 95 %"), drawn(0,
                        "simulate --pes 64 --replication 2 --trials 20 --failures 8 --replenish-after 2 --plot")
                        .all("desc"));
    }

    @ParameterizedTest
    @CsvSource({"plan --pes 0 --bytes-per-pe 1B --plot, --plot, --pes",
            "simulate --pes 0 --replication 1 --plot, --plot, --pes"})
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
