package org.restorej.cli.plot;

import java.awt.Dimension;
import java.io.IOException;
import java.io.StringWriter;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Pictures as the text of SVG files, made by Batik. */
final class SvgDocument {
    private static final Pattern DOCTYPE = Pattern.compile("<!DOCTYPE[^>]*>\\s*");
    private static final String NAMESPACE = SVGGraphics2D.SVG_NAMESPACE_URI;

    private SvgDocument() {}

    static String of(Picture picture) {
        Document document = empty();
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment("ReStore for Java");
        // Hundredths of a unit: nobody sees less.
        context.setPrecision(2);
        SVGGraphics2D surface = new SVGGraphics2D(context, false);
        surface.setSVGCanvasSize(new Dimension(picture.width(), picture.height()));
        picture.paint(surface);
        Element root = surface.getRoot();
        describe(root, picture);
        StringWriter text = new StringWriter();
        try {
            surface.stream(root, text, false, false);
        } catch (IOException impossible) {
            throw new PictureException("the picture can't be written as SVG: " + picture.title(), impossible);
        }
        // It names an address from which programs that read the file would want to load something.
        return DOCTYPE.matcher(text.toString()).replaceFirst("");
    }

    /** For those who can't see it, and so that it grows with the page it is on. */
    private static void describe(Element root, Picture picture) {
        root.setAttributeNS(null, "viewBox", "0 0 " + picture.width() + " " + picture.height());
        root.setAttributeNS(null, "role", "img");
        root.insertBefore(child(root, "desc", picture.description()), root.getFirstChild());
        root.insertBefore(child(root, "title", picture.title()), root.getFirstChild());
    }

    private static Element child(Element root, String name, String text) {
        Element child = root.getOwnerDocument().createElementNS(NAMESPACE, name);
        child.setTextContent(text);
        return child;
    }

    private static Document empty() {
        try {
            return DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().getDOMImplementation()
                    .createDocument(NAMESPACE, "svg", null);
        } catch (ParserConfigurationException impossible) {
            throw new PictureException("this Java has no XML documents", impossible);
        }
    }
}
