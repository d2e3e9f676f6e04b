package org.restorej.cli.plot;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;

/**
 * Text after, before and around a point, in the system's sans-serif fonts, so that an SVG shows them wherever it is
 * looked at. Java finds fonts by fontconfig, which small systems lack; drawing fails there with errors that say nothing
 * to users.
 */
public final class PictureText {
    static {
        // Before the first class of AWT asks: nothing here is for a screen.
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
    }

    private PictureText() {}

    /**
     * Checks that text can be drawn; takes some tenths of a second the first time.
     *
     * @throws IllegalStateException when it can't; the message names what to install
     */
    public static void requireFonts() {
        try {
            new TextLayout("PE", plain(12), new FontRenderContext(null, true, true)).getBounds();
        } catch (LinkageError | InternalError | RuntimeException unusable) {
            throw new IllegalStateException("this system has no fonts that Java could draw text with: install them "
                    + "(on Debian and Ubuntu: apt-get install fontconfig fonts-dejavu-core)", unusable);
        }
    }

    /** A font of some size, in the picture's units. */
    public static Font plain(int size) {
        return new Font(Font.SANS_SERIF, Font.PLAIN, size);
    }

    /** As {@link #plain}, heavier. */
    public static Font bold(int size) {
        return new Font(Font.SANS_SERIF, Font.BOLD, size);
    }

    /** How wide a text is, in the picture's units. Without fonts, see {@link #requireFonts}. */
    public static double width(Font font, String text) {
        // Without a surface: what is drawn on is chosen later, but sizes are wanted now.
        return font.getStringBounds(text, new FontRenderContext(null, true, true)).getWidth();
    }

    /** Draws a text that begins at {@code x}. */
    public static void after(Graphics2D surface, String text, double x, double baseline) {
        if (!text.isEmpty()) {
            surface.drawString(text, (float) x, (float) baseline);
        }
    }

    /** Draws a text that ends at {@code x}. */
    public static void before(Graphics2D surface, String text, double x, double baseline) {
        after(surface, text, x - width(surface.getFont(), text), baseline);
    }

    /** Draws a text with {@code x} in its middle. */
    public static void centred(Graphics2D surface, String text, double x, double baseline) {
        after(surface, text, x - width(surface.getFont(), text) / 2, baseline);
    }
}
