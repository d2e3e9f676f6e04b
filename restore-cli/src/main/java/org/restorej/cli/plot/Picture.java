package org.restorej.cli.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import javax.imageio.ImageIO;

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
     * @throws PictureException when there is no such format, no fonts, or the file can't be written
     */
    public void write(Path file) {
        switch (PictureFormat.of(file)) {
            case SVG -> writeSvg(file);
            case PNG -> writePng(file);
        }
    }

    /**
     * Writes it as SVG.
     *
     * @throws PictureException when there are no fonts, or the file can't be written
     */
    public void writeSvg(Path file) {
        write(file, svg().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes it as PNG, two pixels wide and high for each unit.
     *
     * @throws PictureException when there are no fonts, or the file can't be written
     */
    public void writePng(Path file) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image(), "png", bytes);
        } catch (IOException impossible) {
            throw new PictureException("the picture can't be encoded: " + file, impossible);
        }
        write(file, bytes.toByteArray());
    }

    /** The text of an SVG file. */
    public String svg() {
        PictureFonts.require();
        return SvgDocument.of(this);
    }

    private BufferedImage image() {
        PictureFonts.require();
        BufferedImage image = new BufferedImage(width * PNG_SCALE, height * PNG_SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D surface = image.createGraphics();
        try {
            surface.scale(PNG_SCALE, PNG_SCALE);
            paint(surface);
        } finally {
            surface.dispose();
        }
        return image;
    }

    void paint(Graphics2D surface) {
        surface.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        surface.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        surface.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        surface.setColor(Color.WHITE);
        surface.fillRect(0, 0, width, height);
        painter.accept(surface);
    }

    private static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException unwritable) {
            throw new PictureException("the picture can't be written: " + file + " (" + unwritable + ")", unwritable);
        }
    }
}
