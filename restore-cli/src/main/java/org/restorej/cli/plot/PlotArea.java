package org.restorej.cli.plot;

import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.util.List;

/** Two axes with their ticks and grid, and series between them. Needs fonts, see {@link PictureText#requireFonts}. */
public record PlotArea(PlacedAxis across, PlacedAxis up) {
    private static final Font LABELS = PictureText.plain(12);
    private static final double TICK_LENGTH = 5;
    private static final double TO_LABEL = 9;
    private static final double LABEL_HEIGHT = 14;
    /** From a label's baseline up to the middle of its digits. */
    private static final double TO_MIDDLE = 4.5;
    /** Between labels next to each other. */
    private static final double LABEL_DISTANCE = 10;

    private static List<PlacedAxis.Tick> ticksAcross(PlacedAxis across) {
        return across.ticks(label -> PictureText.width(LABELS, label) + LABEL_DISTANCE);
    }

    private static List<PlacedAxis.Tick> ticksUp(PlacedAxis up) {
        return up.ticks(_ -> LABEL_HEIGHT + LABEL_DISTANCE);
    }

    /** The room that the labels of an axis upwards take at its left, with some free at both sides. */
    static double widthOfLabels(PlacedAxis up) {
        return 2 * TO_LABEL + ticksUp(up).stream().mapToDouble(tick -> PictureText.width(LABELS, tick.label())).max()
                .orElse(0);
    }

    /** Draws the axes, their grid and the series. */
    public void draw(Graphics2D surface, List<Series> series) {
        drawGridAcross(surface, up.to(), up.from());
        ticksUp(up).forEach(tick -> drawLine(surface, across.from(), tick.place(), across.to(), tick.place()));
        surface.setColor(Palette.BLACK);
        surface.setStroke(new BasicStroke(1));
        surface.setFont(LABELS);
        drawLine(surface, across.from(), up.to(), across.from(), up.from());
        drawLine(surface, across.from(), up.from(), across.to(), up.from());
        ticksUp(up).forEach(tick -> {
            drawLine(surface, across.from() - TICK_LENGTH, tick.place(), across.from(), tick.place());
            PictureText.before(surface, tick.label(), across.from() - TO_LABEL, tick.place() + TO_MIDDLE);
        });
        ticksAcross(across).forEach(tick -> {
            drawLine(surface, tick.place(), up.from(), tick.place(), up.from() + TICK_LENGTH);
            PictureText.centred(surface, tick.label(), tick.place(), up.from() + TO_LABEL + LABEL_HEIGHT - 2);
        });
        for (int i = 0; i < series.size(); i++) {
            series.get(i).draw(surface, i, across, up);
        }
    }

    /** Draws the lines of the axis to the right, maybe above or below this area. */
    public void drawGridAcross(Graphics2D surface, double top, double bottom) {
        surface.setColor(Palette.GRID);
        surface.setStroke(new BasicStroke(0.7f));
        ticksAcross(across).forEach(tick -> drawLine(surface, tick.place(), top, tick.place(), bottom));
    }

    private static void drawLine(Graphics2D surface, double fromX, double fromY, double toX, double toY) {
        surface.draw(new Line2D.Double(fromX, fromY, toX, toY));
    }
}
