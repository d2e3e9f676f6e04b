package org.restorej.cli.plot;

import java.awt.Color;
import java.util.List;

/**
 * Colours that people with any colour vision tell apart: those of Okabe and Ito, "Color Universal Design" (2008),
 * without yellow, which white swallows.
 */
public final class Palette {
    public static final Color BLUE = new Color(0x0072B2);
    public static final Color VERMILION = new Color(0xD55E00);
    public static final Color GREEN = new Color(0x009E73);
    public static final Color PURPLE = new Color(0xCC79A7);
    public static final Color ORANGE = new Color(0xE69F00);
    public static final Color SKY = new Color(0x56B4E9);
    public static final Color BLACK = new Color(0x222222);
    /** Of text that explains. */
    public static final Color GREY = new Color(0x666666);
    /** Of what is gone or waits. */
    public static final Color LIGHT_GREY = new Color(0xDDDDDD);
    /** Of lines that guide the eye. */
    public static final Color GRID = new Color(0xEBEBEB);

    /** The colours of series, in order. */
    public static final List<Color> SERIES = List.of(BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK);

    private Palette() {}
}
