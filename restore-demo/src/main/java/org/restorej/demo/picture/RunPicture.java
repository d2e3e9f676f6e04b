package org.restorej.demo.picture;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import org.restorej.cli.plot.Palette;
import org.restorej.cli.plot.Picture;
import org.restorej.cli.plot.PictureText;
import org.restorej.cli.plot.PlotArea;
import org.restorej.demo.run.Activity;
import org.restorej.demo.run.RunTrace;

/** Draws a run: a title, a legend, what was recovered from, a lane for each PE, and below how far it had come. */
public final class RunPicture {
    private static final int WIDTH = 960;
    private static final double LEFT = 92;
    private static final double RIGHT = WIDTH - 24;
    private static final double TITLE_X = 16;
    private static final double LEGEND_Y = 62;
    private static final double NOTES_TOP = 80;
    private static final double GAP = 36;
    private static final double LABELS = 50;

    private final String title;
    private final LanePanel lanes;
    private final ValuePanel values;
    private final TimeAxis axis;
    private final DeathNotes notes;
    private final double lanesTop;

    private RunPicture(RunTrace trace, String title, String valueName) {
        this.title = title;
        lanes = new LanePanel(trace);
        values = new ValuePanel(trace, valueName);
        axis = new TimeAxis(LEFT, RIGHT, trace.endNanos());
        notes = new DeathNotes(trace.failures(), axis, TITLE_X);
        lanesTop = NOTES_TOP + notes.height() + 8;
    }

    /**
     * The picture of a run. Needs fonts, see {@link PictureText#requireFonts}.
     *
     * @param trace what happened
     * @param title what ran
     * @param valueName what the values are
     */
    public static Picture of(RunTrace trace, String title, String valueName) {
        PictureText.requireFonts();
        RunPicture drawing = new RunPicture(trace, title, valueName);
        int height = (int) Math.ceil(drawing.valuesTop() + ValuePanel.HEIGHT + LABELS);
        String description = trace.lanes().size() + " PEs over time: what each did, and the " + valueName + ". "
                + String.join("; ", drawing.notes.texts());
        return new Picture(title, description, WIDTH, height, drawing::paint);
    }

    private double valuesTop() {
        return lanesTop + lanes.height() + GAP;
    }

    private void paint(Graphics2D surface) {
        surface.setColor(Palette.BLACK);
        surface.setFont(PictureText.bold(17));
        PictureText.after(surface, title, TITLE_X, 30);
        drawLegend(surface);
        PlotArea area = values.area(axis, valuesTop());
        area.drawGridAcross(surface, lanesTop, lanesTop + lanes.height());
        values.draw(surface, area, axis);
        surface.setFont(PictureText.plain(12));
        PictureText.centred(surface, area.across().axis().label(), (LEFT + RIGHT) / 2,
                valuesTop() + ValuePanel.HEIGHT + LABELS - 14);
        notes.draw(surface, NOTES_TOP, valuesTop() + ValuePanel.HEIGHT);
        lanes.draw(surface, axis, lanesTop);
    }

    private static void drawLegend(Graphics2D surface) {
        surface.setFont(PictureText.plain(12));
        double x = TITLE_X;
        for (Activity activity : Activity.values()) {
            surface.setColor(LanePanel.colour(activity));
            surface.fill(new Rectangle2D.Double(x, LEGEND_Y - 11, 14, 14));
            x = drawName(surface, activity.label(), x);
        }
        surface.setColor(Palette.LIGHT_GREY);
        surface.setStroke(new BasicStroke(1));
        surface.draw(new Line2D.Double(x + 4, LEGEND_Y - 4, x + 18, LEGEND_Y - 4));
        LanePanel.drawCross(surface, x + 4, LEGEND_Y - 4, 4.5);
        drawName(surface, "failed", x + 4);
    }

    private static double drawName(Graphics2D surface, String name, double x) {
        surface.setColor(Palette.BLACK);
        PictureText.after(surface, name, x + 20, LEGEND_Y);
        return x + 20 + PictureText.width(surface.getFont(), name) + 18;
    }
}
