package org.restorej.cli.plot;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;

/** Text after, before and around a point. */
public final class PictureText {
    /** Without a surface: what is drawn on is chosen later, but sizes are wanted now. */
    private static final FontRenderContext ANY_SURFACE = new FontRenderContext(null, true, true);

    private PictureText() {}

    /** How wide a text is, in the picture's units. Without fonts, see {@link PictureFonts#require}. */
    public static double width(Font font, String text) {
        return font.getStringBounds(text, ANY_SURFACE).getWidth();
    }

    /** How wide a text is in the surface's font. */
    public static double width(Graphics2D surface, String text) {
        return width(surface.getFont(), text);
    }

    /** Draws a text that begins at {@code x}. */
    public static void after(Graphics2D surface, String text, double x, double baseline) {
        surface.drawString(text, (float) x, (float) baseline);
    }

    /** Draws a text that ends at {@code x}. */
    public static void before(Graphics2D surface, String text, double x, double baseline) {
        after(surface, text, x - width(surface, text), baseline);
    }

    /** Draws a text with {@code x} in its middle. */
    public static void centred(Graphics2D surface, String text, double x, double baseline) {
        after(surface, text, x - width(surface, text) / 2, baseline);
    }
}
