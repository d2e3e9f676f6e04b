package org.restorej.cli.plot;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Element;

/**
 * Something that can be drawn and written to a file, on a white ground. Immutable if its painter is, which must draw
 * the same whenever it is called.
 *
 * @param title what it shows; readers of an SVG may see or hear it
 * @param description the same at greater length
 * @param width in units, pixels of an SVG at its natural size
 * @param height in the same units
 * @param painter draws it; gets a surface with text and lines smoothed, of which it may change all settings
 */
public record Picture(String title, String description, int width, int height, Consumer<Graphics2D> painter) {
    private static final int PNG_SCALE = 2;

    /** Checks the size. */
    public Picture {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("width and height must be at least 1: width=" + width + ", height="
                    + height);
        }
    }

    /**
     * Writes it in the format that the file's name tells.
     *
     * @throws IllegalArgumentException when there is no such format
     * @throws IllegalStateException when there are no fonts
     */
    public void write(Path file) throws IOException {
        Files.write(file, isSvg(file) ? svg().getBytes(StandardCharsets.UTF_8) : png());
    }

    /**
     * Whether a file's name asks for SVG, which is sharp at any size; if not, for PNG, with two by two pixels a unit.
     *
     * @throws IllegalArgumentException when it asks for neither
     */
    public static boolean isSvg(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (!name.endsWith(".svg") && !name.endsWith(".png")) {
            throw new IllegalArgumentException("a picture's name must end in .svg or .png: " + file);
        }
        return name.endsWith(".svg");
    }

    /** The text of an SVG file. */
    public String svg() {
        PictureText.requireFonts();
        try {
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(
                    DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().getDOMImplementation()
                            .createDocument(SVGGraphics2D.SVG_NAMESPACE_URI, "svg", null));
            context.setComment("ReStore for Java");
            // Hundredths of a unit: nobody sees less.
            context.setPrecision(2);
            SVGGraphics2D surface = new SVGGraphics2D(context, false);
            surface.setSVGCanvasSize(new Dimension(width, height));
            paint(surface);
            Element root = surface.getRoot();
            // For those who can't see it, and so that it grows with the page it is on.
            root.setAttributeNS(null, "viewBox", "0 0 " + width + " " + height);
            root.setAttributeNS(null, "role", "img");
            insertFirst(root, "desc", description);
            insertFirst(root, "title", title);
            StringWriter text = new StringWriter();
            surface.stream(root, text, false, false);
            // The type names an address from which programs that read the file would want to load something.
            return text.toString().replaceFirst("<!DOCTYPE[^>]*>\\s*", "");
        } catch (IOException | ParserConfigurationException impossible) {
            throw new IllegalStateException("the picture can't be written as SVG: " + title, impossible);
        }
    }

    private static void insertFirst(Element root, String name, String text) {
        Element child = root.getOwnerDocument().createElementNS(SVGGraphics2D.SVG_NAMESPACE_URI, name);
        child.setTextContent(text);
        root.insertBefore(child, root.getFirstChild());
    }

    private byte[] png() throws IOException {
        PictureText.requireFonts();
        BufferedImage image = new BufferedImage(width * PNG_SCALE, height * PNG_SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D surface = image.createGraphics();
        surface.scale(PNG_SCALE, PNG_SCALE);
        paint(surface);
        surface.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }

    private void paint(Graphics2D surface) {
        surface.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        surface.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        surface.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        surface.setColor(Color.WHITE);
        surface.fillRect(0, 0, width, height);
        painter.accept(surface);
    }
}
