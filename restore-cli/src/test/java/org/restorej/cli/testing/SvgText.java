package org.restorej.cli.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Assumptions;
import org.restorej.cli.plot.PictureException;
import org.restorej.cli.plot.PictureFonts;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** What is in an SVG, as an XML parser sees it. */
public final class SvgText {
    private final Document document;

    private SvgText(Document document) {
        this.document = document;
    }

    /** Leaves a test out where Java can't draw text; bin/bootstrap installs what it takes. */
    public static void requireFonts() {
        try {
            PictureFonts.require();
        } catch (PictureException none) {
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

    /** Number of rectangles filled with a colour, as SVG writes it. */
    public long rectangles(String colour) {
        return elements("rect").stream().filter(rectangle -> colour.equals(fill(rectangle))).count();
    }

    private static String fill(Element element) {
        Element at = element;
        while (!at.hasAttribute("fill")) {
            at = (Element) at.getParentNode();
        }
        return at.getAttribute("fill");
    }

    private List<Element> elements(String name) {
        return IntStream.range(0, document.getElementsByTagName(name).getLength())
                .mapToObj(index -> (Element) document.getElementsByTagName(name).item(index)).toList();
    }
}
