package org.restorej.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.ui.RectangleInsets;
import org.w3c.dom.Element;

/**
 * A chart that can be written to a file, on a white background.
 *
 * @param chart drawn by JFreeChart; its title is the picture's
 * @param description of the content, for readers who can't see it
 * @param width in units, pixels of an SVG at its natural size
 * @param height in the same units
 */
public record Picture(JFreeChart chart, String description, int width, int height) {
    /**
     * Colours that people with any colour vision can distinguish: those of Okabe and Ito, "Color Universal Design"
     * (2008), without yellow, which is invisible on white.
     */
    public static final List<Color> COLOURS = List.of(new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73),
            new Color(0xCC79A7), new Color(0xE69F00), new Color(0x56B4E9), new Color(0x222222));

    /** Font of a title. */
    public static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 17);

    private static final int PNG_SCALE = 2;
    private static final Color GRID = new Color(0xEBEBEB);

    static {
        // Set before the first class of AWT reads it: no screen is needed.
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
        // Draw text as text, so that an SVG contains text, too.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
    }

    /** Sets the background and the grid of a plot. */
    public static void style(XYPlot plot) {
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setDomainGridlinePaint(GRID);
        plot.setRangeGridlinePaint(GRID);
        plot.setDomainGridlineStroke(new BasicStroke(1));
        plot.setRangeGridlineStroke(new BasicStroke(1));
    }

    /**
     * Checks that text can be drawn. Takes some tenths of a second the first time. Java finds fonts through fontconfig,
     * which small systems lack; drawing then fails with errors that don't help users.
     *
     * @throws IllegalStateException when text can't be drawn; the message names what to install
     */
    public static void requireFonts() {
        try {
            new TextLayout("PE", new Font(Font.SANS_SERIF, Font.PLAIN, 12), new FontRenderContext(null, true, true))
                    .getBounds();
        } catch (LinkageError | InternalError | RuntimeException unusable) {
            throw new IllegalStateException("this system has no fonts that Java could draw text with: install them "
                    + "(on Debian and Ubuntu: apt-get install fontconfig fonts-dejavu-core)", unusable);
        }
    }

    /**
     * Writes the picture in the format that the file's name selects.
     *
     * @throws IllegalArgumentException when the format is unknown
     * @throws IllegalStateException when there are no fonts
     */
    public void write(Path file) throws IOException {
        if (isSvg(file)) {
            Files.writeString(file, svg());
            return;
        }
        requireFonts();
        BufferedImage image = new BufferedImage(width * PNG_SCALE, height * PNG_SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D surface = image.createGraphics();
        surface.scale(PNG_SCALE, PNG_SCALE);
        draw(surface);
        surface.dispose();
        try (var out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }

    /**
     * Whether a file's name selects SVG, which is sharp at any size, rather than PNG, with two by two pixels a unit.
     *
     * @throws IllegalArgumentException when it selects neither
     */
    public static boolean isSvg(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (!name.endsWith(".svg") && !name.endsWith(".png")) {
            throw new IllegalArgumentException("a picture's name must end in .svg or .png: " + file);
        }
        return name.endsWith(".svg");
    }

    /** The text of an SVG file; the same every time on the same machine. */
    public String svg() {
        requireFonts();
        try {
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(
                    DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().getDOMImplementation()
                            .createDocument(SVGGraphics2D.SVG_NAMESPACE_URI, "svg", null));
            context.setComment("ReStore for Java");
            // Precision of hundredths of a unit, below what is visible.
            context.setPrecision(2);
            SVGGraphics2D surface = new SVGGraphics2D(context, false);
            surface.setSVGCanvasSize(new Dimension(width, height));
            draw(surface);
            Element root = surface.getRoot();
            // Accessible, and scales with the page.
            root.setAttributeNS(null, "viewBox", "0 0 " + width + " " + height);
            root.setAttributeNS(null, "role", "img");
            insertFirst(root, "desc", description);
            insertFirst(root, "title", chart.getTitle().getText());
            StringWriter text = new StringWriter();
            surface.stream(root, text, false, false);
            // The document type has an address that programs reading the file would try to load.
            return text.toString().replaceFirst("<!DOCTYPE[^>]*>\\s*", "");
        } catch (IOException | ParserConfigurationException impossible) {
            throw new IllegalStateException("the picture can't be written as SVG: " + chart.getTitle().getText(),
                    impossible);
        }
    }

    private static void insertFirst(Element root, String name, String text) {
        Element child = root.getOwnerDocument().createElementNS(SVGGraphics2D.SVG_NAMESPACE_URI, name);
        child.setTextContent(text);
        root.insertBefore(child, root.getFirstChild());
    }

    private void draw(Graphics2D surface) {
        chart.setBackgroundPaint(Color.WHITE);
        // The last label of an axis extends beyond it by half.
        chart.setPadding(new RectangleInsets(6, 6, 6, 24));
        surface.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        chart.draw(surface, new Rectangle2D.Double(0, 0, width, height));
    }
}
