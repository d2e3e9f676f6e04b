package org.restorej.cli.plot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.geom.Point2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.SvgText;
import org.restorej.testing.ProcessRun;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class LineChartTest {
    private static final double[] X = {64, 4096, 1e6};
    private static final double[] Y = {0.25, 2, 40};

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void needsFonts() {
        SvgText.requireFonts();
    }

    private static Series series(String name, Series.Style style, double[] x, double[] y, double[] low, double[] high) {
        return new Series(name, IntStream.range(0, x.length)
                .mapToObj(i -> new Series.Point(x[i], y[i], low[i], high[i])).toList(), style);
    }

    private static Series series(String name, double[] x, double[] y) {
        return series(name, Series.Style.LINE, x, y, y, y);
    }

    private static Series reference(String name, double[] x, double[] y) {
        return series(name, Series.Style.DASHED, x, y, y, y);
    }

    private static LineChart chart(Series... series) {
        return new LineChart("submit & pull", Axis.log("bytes a PE"), Axis.log("time (ms)"), List.of(series));
    }

    private static LineChart chart() {
        return chart(
                series("ReStore", Series.Style.LINE, X, Y, new double[]{0.2, 1.5, 40}, new double[]{0.5, 2.5, 44}),
                series("files <rival>", X, new double[]{1, 9, 90}),
                reference("wire limit", X, new double[]{0.1, 1, 30}));
    }

    private static Axis axisOfPes(double... ticks) {
        return new Axis("PEs", true, DoubleStream.of(ticks).boxed().toList(), Axis::number);
    }

    private static Document parse(Path file) throws Exception {
        return DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    private static String text(Document svg, String element) {
        return svg.getElementsByTagName(element).item(0).getTextContent();
    }

    /** Elements of which an attribute, or one that they inherit, has a value. */
    private static long drawnIn(Document svg, String attribute, Color colour) {
        String value = String.format(Locale.ROOT, "rgb(%d,%d,%d)", colour.getRed(), colour.getGreen(),
                colour.getBlue());
        return IntStream.range(0, svg.getElementsByTagName("*").getLength())
                .mapToObj(index -> (Element) svg.getElementsByTagName("*").item(index))
                .filter(element -> element.getAttribute(attribute).equals(value)).count();
    }

    @Test
    void writesAnSvgWithTitleLegendAndOneColourForEachSeries() throws Exception {
        Path file = folder.resolve("chart.SVG");
        chart().picture().write(file);
        Document svg = parse(file);
        assertEquals("svg", svg.getDocumentElement().getLocalName());
        assertEquals("0 0 900 560", svg.getDocumentElement().getAttribute("viewBox"));
        assertEquals("submit & pull", text(svg, "title"));
        assertEquals("time (ms) over bytes a PE: ReStore, files <rival>, wire limit", text(svg, "desc"));
        for (Color colour : Palette.SERIES.subList(0, 3)) {
            assertTrue(drawnIn(svg, "stroke", colour) > 0, () -> "no line in " + colour);
        }
        assertEquals(0, drawnIn(svg, "stroke", Palette.SERIES.get(3)));
    }

    @Test
    void drawsErrorBarsWhereThereAreAny() throws Exception {
        Path with = folder.resolve("with.svg");
        chart().picture().write(with);
        Path without = folder.resolve("without.svg");
        chart(series("ReStore", X, Y)).picture().write(without);
        // Of each bar both ends; the third one reaches up only, yet has both.
        assertTrue(drawnIn(parse(with), "stroke", Palette.BLUE) > drawnIn(parse(without), "stroke", Palette.BLUE));
    }

    private static SvgText.Label named(SvgText svg, String text) {
        List<SvgText.Label> found = svg.labels().stream().filter(label -> label.text().equals(text)).toList();
        assertEquals(1, found.size(), () -> text + " is in " + svg.labels());
        return found.getFirst();
    }

    @Test
    void hasTicksWhereMeasurementsAre() throws IOException {
        double[] pes = {2, 4, 8};
        double[] millis = {8.11, 38.6, 72.3};
        SvgText svg = SvgText.of(new LineChart("submit", axisOfPes(pes), Axis.log("time (ms)"),
                List.of(series("ReStore", pes, millis), reference("goal", pes, new double[]{4, 30, 60}))).picture()
                .svg());
        svg.assertReadable();
        // The last one is the legend's.
        List<Point2D> marks = svg.circles();
        assertEquals(pes.length + 1, marks.size());
        for (int i = 0; i < pes.length; i++) {
            assertEquals(marks.get(i).getX(), named(svg, Integer.toString((int) pes[i])).box().getCenterX(), 0.7);
        }
        List<SvgText.Label> up = svg.numbers().stream().filter(label -> label.box().getMaxX() < marks.getFirst().getX())
                .toList();
        assertEquals(List.of("5", "10", "20", "50"), up.stream().map(SvgText.Label::text).toList());
        // By ratios, beside the marks: halfway from 5 to 20 is 10.
        assertEquals(up.get(1).box().getCenterY(),
                (up.get(0).box().getCenterY() + up.get(2).box().getCenterY()) / 2, 0.2);
        assertTrue(up.get(2).box().getCenterY() > marks.get(1).getY());
        assertTrue(up.get(3).box().getCenterY() < marks.get(1).getY());
    }

    @Test
    void leavesOutLabelsThatWouldLieOnOthers() throws IOException {
        double[] pes = IntStream.rangeClosed(1, 200).asDoubleStream().toArray();
        SvgText svg = SvgText.of(new LineChart("submit", axisOfPes(pes), Axis.linear("ratio"),
                List.of(series("ReStore", pes, pes))).picture().svg());
        svg.assertReadable();
        assertTrue(svg.numbers().size() > 15, () -> svg.numbers().toString());
        assertTrue(svg.numbers().stream().map(SvgText.Label::text).toList().containsAll(List.of("1", "2", "3")),
                () -> svg.numbers().toString());
    }

    @Test
    void breaksLongNamesAndMakesLongTitlesSmall() throws IOException {
        String name = "bytes 16 MiB, pattern ONE_TO_ONE, permutationRangeBytes 256 KiB, replication 4";
        SvgText svg = SvgText.of(new LineChart(name + ", " + name, Axis.log("PEs"), Axis.linear("ratio"),
                List.of(series(name, X, Y), series("other", X, Y))).picture().svg());
        svg.assertReadable();
        assertTrue(svg.all("text").contains("pattern ONE_TO_ONE,"), () -> svg.all("text").toString());
    }

    @Test
    void drawsAShortDashedLineThroughASinglePoint() throws IOException {
        SvgText svg = SvgText.of(chart(series("ReStore", X, Y),
                reference("goal", new double[]{4096}, new double[]{1})).picture().svg());
        // Of the three round marks the second is at 4096.
        double x = svg.circles().get(1).getX();
        assertTrue(svg.pathsIn("7,5").stream().anyMatch(line -> Math.abs(line.getCenterX() - x) < 0.1
                && line.getWidth() > 30), () -> svg.pathsIn("7,5").toString());
    }

    @Test
    void isTheSameToTheLastByteEveryTime() throws IOException {
        Path first = folder.resolve("first.svg");
        Path second = folder.resolve("second.svg");
        chart().picture().write(first);
        chart().picture().write(second);
        assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
    }

    @Test
    void writesPixels() throws IOException {
        Path file = folder.resolve("chart.png");
        chart().picture().write(file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(1800, image.getWidth());
        assertEquals(1120, image.getHeight());
        List<Integer> colours = IntStream.range(0, image.getWidth() * image.getHeight())
                .map(pixel -> image.getRGB(pixel % image.getWidth(), pixel / image.getWidth())).distinct().boxed()
                .toList();
        for (Color colour : List.of(Color.WHITE, Palette.BLUE, Palette.VERMILION, Palette.GREEN)) {
            assertTrue(colours.contains(colour.getRGB()), () -> "no pixel in " + colour);
        }
    }

    private static String refusal(Executable chart) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, chart).getMessage());
    }

    @Test
    void saysWhatIsWrongWithValues() {
        String time = "values must be finite and more than 0: axis 'time (ms)', series 's', value=";
        assertEquals(time + "NaN", refusal(() -> chart(series("s", X, new double[]{1, Double.NaN, 1}))));
        assertEquals(time + "0.0", refusal(() -> chart(series("s", X, new double[]{1, 0, 1}))));
        assertEquals(time + "-1.0",
                refusal(() -> chart(series("s", Series.Style.LINE, X, Y, new double[]{-1, 1, 1}, Y))));
        assertEquals("values must be finite and more than 0: axis 'bytes a PE', series 's', value=Infinity", refusal(
                () -> chart(series("s", new double[]{Double.POSITIVE_INFINITY}, new double[]{1}))));
        assertEquals("values must be finite: axis 'ratio', series 's', value=-Infinity",
                refusal(() -> new LineChart("title", Axis.log("PEs"), Axis.linear("ratio"),
                        List.of(series("s", new double[]{1}, new double[]{Double.NEGATIVE_INFINITY})))));
        assertEquals("an error bar must include its value: low=2.0, value=1.0, high=3.0",
                refusal(() -> new Series.Point(1, 1, 2, 3)));
        assertEquals("a series must have a point: series 's'",
                refusal(() -> series("s", new double[0], new double[0])));
        assertEquals("a chart must have a series: chart 'submit & pull'", refusal(() -> chart(new Series[0])));
        assertEquals("names of series must differ: 's' is there twice",
                refusal(() -> chart(series("s", X, Y), series("s", X, Y))));
        assertEquals("a series must have a name", refusal(() -> series(" ", X, Y)));
        assertEquals("an axis must have a label", refusal(() -> Axis.log("")));
        assertEquals("a chart must have a title", refusal(() -> new LineChart("", Axis.log("PEs"), Axis.log("time"),
                List.of(series("s", X, Y)))));
        assertEquals("width and height must be at least 1: width=0, height=1",
                refusal(() -> new Picture("title", "description", 0, 1, surface -> {})));
    }

    @Test
    void drawsMarksOnlyWhereTheyDontHideTheLine() throws IOException {
        double[] few = IntStream.rangeClosed(1, 60).asDoubleStream().toArray();
        double[] many = IntStream.rangeClosed(1, 61).asDoubleStream().toArray();
        assertEquals(61, SvgText.of(chart(series("s", few, few)).picture().svg()).circles().size());
        // The legend's.
        assertEquals(1, SvgText.of(chart(series("s", many, many)).picture().svg()).circles().size());
    }

    @Test
    void saysWhatIsWrongWithFiles() {
        Picture picture = chart().picture();
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
                        .map(Axis::number).toList());
    }

    /** Writes a chart where there are no fonts; says what that leads to. */
    static final class WithoutFonts {
        private WithoutFonts() {}

        public static void main(String[] arguments) throws IOException {
            try {
                chart().picture().write(Path.of(arguments[0]));
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
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
                "-Duser.home=" + folder, "-cp", System.getProperty("java.class.path"), WithoutFonts.class.getName(),
                folder.resolve("chart.svg").toString());
        builder.environment().put("FONTCONFIG_FILE", noFonts.toString());
        ProcessRun run = ProcessRun.of(builder);
        assertTrue(run.everything().contains("apt-get install fontconfig fonts-dejavu-core"), run::describe);
    }
}
