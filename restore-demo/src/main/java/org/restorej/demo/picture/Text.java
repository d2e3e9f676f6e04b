package org.restorej.demo.picture;

import java.awt.Graphics2D;

/** Text beside, before and around a point. */
final class Text {
    private Text() {}

    static double width(Graphics2D surface, String text) {
        return surface.getFontMetrics().stringWidth(text);
    }

    static void after(Graphics2D surface, String text, double x, double baseline) {
        surface.drawString(text, (float) x, (float) baseline);
    }

    static void before(Graphics2D surface, String text, double x, double baseline) {
        after(surface, text, x - width(surface, text), baseline);
    }

    static void centred(Graphics2D surface, String text, double x, double baseline) {
        after(surface, text, x - width(surface, text) / 2, baseline);
    }
}
