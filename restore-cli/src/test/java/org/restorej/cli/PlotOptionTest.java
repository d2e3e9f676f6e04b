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
    void plotsAPlanOfAStoreThatIsToldOfItsNodes() throws IOException {
        String dealt = "plan --pes 96 --ranks-per-node 4 --bytes-per-pe 1MiB --replication 4 --layout round-robin ";
        // All replicas of a range on one node, and on four of them.
        List<String> plain = drawn(0, dealt + "--plot").all("text");
        List<String> told = drawn(0, dealt + "--failure-domains --plot").all("text");
        assertFalse(plain.contains("0.01"), plain::toString);
        assertTrue(told.contains("0.01"), told::toString);
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
    void reportsFilesThatCantBeWrittenWithAllOtherMistakes() {
        CommandRun run = CommandRun.of("plan --pes 0 --bytes-per-pe 1B --plot missing/run.jpg");
        assertEquals(2, run.exitCode());
        assertEquals("", run.output());
        for (String message : List.of("--plot: a picture's name must end in .svg or .png: missing/run.jpg",
                "--plot must be a file that can be written: missing/run.jpg", "--pes must be")) {
            assertTrue(run.errors().contains("restore: " + message), () -> message + " is not in\n" + run.errors());
        }
        assertEquals(3, run.errors().lines().count(), run::errors);
        assertFalse(run.errors().contains("\tat "), run::errors);
    }
}
