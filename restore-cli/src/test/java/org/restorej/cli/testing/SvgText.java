package org.restorej.cli.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Assumptions;
import org.restorej.cli.plot.Picture;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** What is in an SVG, as an XML parser sees it. */
public final class SvgText {
    private static final Pattern TRANSFORM = Pattern.compile("(\\w+)\\(([^)]*)\\)");

    private final Document document;

    /**
     * A text.
     *
     * @param text what it says
     * @param box what its letters fill, in the picture's units
     */
    public record Label(String text, Rectangle2D box) {
        public double value() {
            return Double.parseDouble(text);
        }
    }

    private SvgText(Document document) {
        this.document = document;
    }

    /** Leaves a test out where Java can't draw text; bin/bootstrap installs what it takes. */
    public static void requireFonts() {
        try {
            Picture.requireFonts();
        } catch (IllegalStateException none) {
            Assumptions.abort(none.getMessage());
        }
    }

    /** Parses a file. */
    public static SvgText of(Path file) throws IOException {
        return of(Files.readString(file));
    }

    public static SvgText of(String svg) throws IOException {
        try {
            Document document = DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
            assertEquals("svg", document.getDocumentElement().getLocalName());
            return new SvgText(document);
        } catch (ParserConfigurationException | SAXException malformed) {
            throw new IOException("not XML: " + svg, malformed);
        }
    }

    /** The contents of all elements with a name. */
    public List<String> all(String element) {
        return elements(element).stream().map(Element::getTextContent).map(String::strip).toList();
    }

    /** How many shapes are filled with a colour. */
    public long filledIn(Color colour) {
        return Stream.of("rect", "path", "circle").flatMap(name -> elements(name).stream())
                .filter(shape -> inherited(shape, "fill").equals(text(colour))).count();
    }

    /** Whether there is a line of a colour. */
    public boolean isDrawnIn(Color colour) {
        return Stream.of("line", "path").flatMap(name -> elements(name).stream())
                .anyMatch(shape -> inherited(shape, "stroke").equals(text(colour)));
    }

    private static String text(Color colour) {
        return String.format(Locale.ROOT, "rgb(%d,%d,%d)", colour.getRed(), colour.getGreen(), colour.getBlue());
    }

    /** All texts, and where they are. */
    public List<Label> labels() {
        return elements("text").stream().map(SvgText::label).toList();
    }

    /** The texts that are numbers, in the order in which they are drawn. */
    public List<Label> numbers() {
        return labels().stream().filter(label -> label.text().matches("-?[0-9.]+(e-?[0-9]+)?")).toList();
    }

    /** No text lies on another, or reaches out of the picture. */
    public void assertReadable() {
        String[] size = document.getDocumentElement().getAttribute("viewBox").split(" ", -1);
        Rectangle2D picture = new Rectangle2D.Double(0, 0, Double.parseDouble(size[2]), Double.parseDouble(size[3]));
        List<Label> labels = labels();
        for (int i = 0; i < labels.size(); i++) {
            Label label = labels.get(i);
            assertTrue(picture.contains(label.box()), () -> label + " reaches out of the picture");
            for (Label other : labels.subList(0, i)) {
                assertFalse(label.box().intersects(other.box()), () -> label + " lies on " + other);
            }
        }
    }

    /** How many lines have dashes, as SVG writes them: {@code 7,5}. */
    public long linesIn(String dashes) {
        return Stream.of("path", "line").flatMap(name -> elements(name).stream())
                .filter(each -> inherited(each, "stroke-dasharray").equals(dashes)).count();
    }

    private static Label label(Element text) {
        double size = Double.parseDouble(inherited(text, "font-size").replace("px", ""));
        int weight = inherited(text, "font-weight").equals("bold") ? Font.BOLD : Font.PLAIN;
        String content = text.getTextContent().strip();
        Shape letters = new Font(Font.SANS_SERIF, weight, 1).deriveFont((float) size)
                .createGlyphVector(new FontRenderContext(null, true, true), content)
                .getOutline((float) number(text, "x"), (float) number(text, "y"));
        return new Label(content, transform(text).createTransformedShape(letters).getBounds2D());
    }

    private static AffineTransform transform(Element element) {
        AffineTransform all = element.getParentNode() instanceof Element parent
                ? transform(parent)
                : new AffineTransform();
        Matcher steps = TRANSFORM.matcher(element.getAttribute("transform"));
        while (steps.find()) {
            double[] numbers = Arrays.stream(steps.group(2).split("[, ]+", -1)).mapToDouble(Double::parseDouble)
                    .toArray();
            all.concatenate(switch (steps.group(1)) {
                case "matrix" -> new AffineTransform(numbers);
                case "translate" -> AffineTransform.getTranslateInstance(numbers[0], numbers[1]);
                case "rotate" -> AffineTransform.getRotateInstance(Math.toRadians(numbers[0]));
                default -> throw new AssertionError(steps.group());
            });
        }
        return all;
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    private static String inherited(Element element, String attribute) {
        Element at = element;
        while (!at.hasAttribute(attribute)) {
            at = (Element) at.getParentNode();
        }
        return at.getAttribute(attribute);
    }

    private List<Element> elements(String name) {
        return IntStream.range(0, document.getElementsByTagName(name).getLength())
                .mapToObj(index -> (Element) document.getElementsByTagName(name).item(index)).toList();
    }
}
