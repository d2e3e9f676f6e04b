package org.restorej.cli.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.SvgText;
import org.restorej.testing.ProcessRun;

class ChartTest {
    private static final double[] X = {64, 4096, 1e6};

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void needsFonts() {
        SvgText.requireFonts();
    }

    private static List<Chart.Point> points(double... y) {
        return IntStream.range(0, y.length).mapToObj(i -> new Chart.Point(X[i], y[i])).toList();
    }

    private static Chart chart() {
        return new Chart("submit & pull", Chart.log("bytes a PE"), Chart.log("time (ms)"));
    }

    private static Chart chartOfThree() {
        return chart()
                .add("ReStore", List.of(new Chart.Point(64, 0.25, 0.2, 0.5),
                        new Chart.Point(4096, 2, 1.5, 2.5), new Chart.Point(1e6, 40, 40, 44)))
                .add("files <rival>", points(1, 9, 90))
                .add("raw MPI", points(0.1, 1, 30));
    }

    private static SvgText svg(Chart chart) throws IOException {
        SvgText svg = SvgText.of(chart.picture().svg());
        svg.assertReadable();
        return svg;
    }

    @Test
    void writesAnSvgWithTitleLegendAndOneColourForEachSeries() throws IOException {
        Path file = folder.resolve("chart.SVG");
        chartOfThree().picture().write(file);
        SvgText svg = SvgText.of(file);
        svg.assertReadable();
        assertEquals(List.of("submit & pull"), svg.all("title"));
        assertEquals(List.of("time (ms) over bytes a PE: ReStore, files <rival>, raw MPI"), svg.all("desc"));
        assertTrue(svg.all("text").containsAll(List.of("submit & pull", "ReStore", "files <rival>", "raw MPI",
                "bytes a PE", "time (ms)")), svg.all("text")::toString);
        for (Color colour : Picture.COLOURS.subList(0, 3)) {
            assertTrue(svg.isDrawnIn(colour), () -> "nothing in " + colour);
        }
        assertFalse(svg.isDrawnIn(Picture.COLOURS.get(3)));
    }

    @Test
    void labelsValuesWithRoundNumbersAsPeopleWriteThem() throws IOException {
        List<String> byTen = svg(chartOfThree()).all("text");
        assertTrue(byTen.containsAll(List.of("100", "1000", "10000", "1e6")), byTen::toString);
        Chart pes = new Chart("submit", Chart.log("PEs"), Chart.linear("ratio")).add("ReStore",
                List.of(new Chart.Point(2, 0.25), new Chart.Point(4, 0.5), new Chart.Point(8, 1)));
        List<String> byTwo = svg(pes).all("text");
        assertTrue(byTwo.containsAll(List.of("2", "4", "8", "0.3", "0.5", "1")), byTwo::toString);
        Chart bytes = new Chart("pull", Chart.log("bytes", value -> Math.round(value / 1024) + " KiB"),
                Chart.linear("ratio")).add("ReStore", List.of(new Chart.Point(4096, 1), new Chart.Point(262144, 1)));
        assertTrue(svg(bytes).all("text").containsAll(List.of("4 KiB", "256 KiB")), svg(bytes).all("text")::toString);
    }

    @Test
    void labelsAnAxisByRatiosWhoseValuesAreCloseTogether() throws IOException {
        List<String> texts = svg(chart().add("s", points(51, 55, 60))).all("text");
        assertTrue(texts.containsAll(List.of("52", "56", "60")), texts::toString);
    }

    @Test
    void hasFewTicksWhereValuesSpanManyPowersOfTen() throws IOException {
        List<String> texts = svg(new Chart("loss", Chart.log("failures"), Chart.log("probability")).add("K = 4",
                List.of(new Chart.Point(1, 1e-90), new Chart.Point(1e6, 1)))).all("text");
        assertTrue(texts.contains("1e-80") && texts.size() < 40, texts::toString);
    }

    @Test
    void writesPixelsInTheSameColours() throws IOException {
        Path file = folder.resolve("chart.png");
        chartOfThree().picture().write(file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(1800, image.getWidth());
        assertEquals(1120, image.getHeight());
        int[] pixels = image.getRGB(0, 0, 1800, 1120, null, 0, 1800);
        for (Color colour : Picture.COLOURS.subList(0, 3)) {
            assertTrue(Arrays.stream(pixels).anyMatch(pixel -> pixel == colour.getRGB()), () -> "none in " + colour);
        }
    }

    @Test
    void isTheSameToTheLastByteEveryTime() {
        assertEquals(chartOfThree().picture().svg(), chartOfThree().picture().svg());
    }

    @Test
    void drawsAnEmptyChartWhereThereIsNothingToShow() throws IOException {
        assertEquals(List.of("time (ms) over bytes a PE:"),
                SvgText.of(chart().add("none", List.of()).picture().svg()).all("desc"));
    }

    private static String refusal(Executable chart) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, chart).getMessage());
    }

    @Test
    void saysWhatIsWrongWithValues() {
        String time = "values must be finite and more than 0: axis 'time (ms)', series 's', value=";
        assertEquals(time + "NaN", refusal(() -> chart().add("s", points(1, Double.NaN, 1))));
        assertEquals(time + "0.0", refusal(() -> chart().add("s", points(1, 0, 1))));
        assertEquals(time + "-1.0",
                refusal(() -> chart().add("s", List.of(new Chart.Point(1, 1, -1, 2)))));
        assertEquals("values must be finite and more than 0: axis 'bytes a PE', series 's', value=Infinity",
                refusal(() -> chart().add("s", List.of(new Chart.Point(Double.POSITIVE_INFINITY, 1)))));
        assertEquals("values must be finite: axis 'ratio', series 's', value=-Infinity",
                refusal(() -> new Chart("title", Chart.log("PEs"), Chart.linear("ratio")).add("s",
                        List.of(new Chart.Point(1, Double.NEGATIVE_INFINITY)))));
    }

    @Test
    void saysWhatIsWrongWithFiles() {
        Picture picture = chartOfThree().picture();
        assertEquals("a picture's name must end in .svg or .png: chart.jpg",
                refusal(() -> picture.write(Path.of("chart.jpg"))));
        Path nowhere = folder.resolve("missing").resolve("chart.svg");
        assertThrows(NoSuchFileException.class, () -> picture.write(nowhere));
    }

    @Test
    void writesNumbersAsPeopleDo() {
        assertEquals(List.of("0", "0.3", "250", "1e-6", "1.25e-12", "1e6", "-5719.43", "-2.5e7",
                "999999.9", "0.001000002"),
                Stream.of(0.0, 0.1 + 0.2, 250.0, 1e-6, 1.25e-12, 1e6, -5719.43, -2.5e7, 9999999 * 0.1, 500001 * 2e-9)
                        .map(Chart::number).toList());
    }

    /** Writes a chart where there are no fonts; says what that leads to. */
    static final class WithoutFonts {
        private WithoutFonts() {}

        public static void main(String[] arguments) throws IOException {
            try {
                chartOfThree().picture().write(Path.of(arguments[0]));
            } catch (IllegalStateException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }

    @Test
    void namesWhatToInstallWhereThereAreNoFonts() throws IOException, InterruptedException {
        // Fontconfig that knows of no folder with fonts; Java keeps what it once found in the user's home.
        Path noFonts = Files.writeString(folder.resolve("fonts.conf"), "<fontconfig></fontconfig>");
        ProcessBuilder builder = new ProcessBuilder(
                ProcessRun.JAVA, "-Xmx128m",
                "-Duser.home=" + folder, "-cp", System.getProperty("java.class.path"), WithoutFonts.class.getName(),
                folder.resolve("chart.svg").toString());
        builder.environment().put("FONTCONFIG_FILE", noFonts.toString());
        ProcessRun run = ProcessRun.of(builder);
        assertTrue(run.everything().contains("apt-get install fontconfig fonts-dejavu-core"), run::describe);
    }
}
