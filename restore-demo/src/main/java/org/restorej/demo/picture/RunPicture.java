package org.restorej.demo.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.restorej.cli.plot.Palette;
import org.restorej.cli.plot.Picture;
import org.restorej.cli.plot.PictureFonts;
import org.restorej.demo.run.Activity;
import org.restorej.demo.run.RunTrace;

/** Draws a run: a title, a legend, what was recovered from, a lane for each PE, and below how far it had come. */
public final class RunPicture {
    private static final int WIDTH = 960;
    private static final double LEFT = 92;
    private static final double RIGHT = WIDTH - 24;
    private static final double LEGEND_Y = 62;
    private static final double NOTES_TOP = 92;
    private static final double NOTE_HEIGHT = 17;
    private static final int MOST_NOTE_ROWS = 4;
    /** Enough for most characters of a note: rows are chosen before there is a surface to measure text on. */
    private static final double NOTE_CHARACTER_WIDTH = 7.2;
    private static final double NOTE_DISTANCE = 5;
    private static final double GAP = 36;
    private static final double LABELS = 50;
    private static final BasicStroke FAILURE_LINE = new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10,
            new float[]{3, 3}, 0);

    private final String title;
    private final LanePanel lanes;
    private final ValuePanel values;
    private final TimeAxis axis;
    private final List<Note> notes;
    private final double lanesTop;

    /** What was recovered from, at its place; in a row that there isn't when no row has room for it. */
    private record Note(String text, double lineX, boolean before, int row) {
        void draw(Graphics2D surface) {
            double baseline = NOTES_TOP + row * NOTE_HEIGHT;
            double width = Text.width(surface, text);
            double x = before ? lineX - NOTE_DISTANCE - width : lineX + NOTE_DISTANCE;
            surface.setColor(Color.WHITE);
            surface.fill(new Rectangle2D.Double(x - 2, baseline - 12, width + 4, NOTE_HEIGHT - 1));
            surface.setColor(Palette.BLACK);
            Text.after(surface, text, x, baseline);
        }
    }

    private RunPicture(RunTrace trace, String title, String valueName) {
        this.title = title;
        lanes = new LanePanel(trace);
        values = new ValuePanel(trace, valueName);
        axis = new TimeAxis(LEFT, RIGHT, trace.endNanos());
        notes = notes(trace.failures(), axis);
        int rows = notes.stream().mapToInt(note -> Math.min(note.row() + 1, MOST_NOTE_ROWS)).max().orElse(0);
        lanesTop = NOTES_TOP + rows * NOTE_HEIGHT - 4;
    }

    /**
     * The picture of a run.
     *
     * @param trace what happened
     * @param title what ran
     * @param valueName what the values are
     */
    public static Picture of(RunTrace trace, String title, String valueName) {
        RunPicture drawing = new RunPicture(trace, title, valueName);
        int height = (int) Math.ceil(drawing.valuesTop() + ValuePanel.HEIGHT + LABELS);
        String description = trace.lanes().size() + " PEs over time: what each did, and the " + valueName + ". "
                + trace.failures().stream().map(RunPicture::note).collect(Collectors.joining("; "));
        return new Picture(title, description, WIDTH, height, drawing::paint);
    }

    private double valuesTop() {
        return lanesTop + lanes.height() + GAP;
    }

    private void paint(Graphics2D surface) {
        surface.setColor(Palette.BLACK);
        surface.setFont(PictureFonts.bold(17));
        Text.after(surface, title, 16, 30);
        drawLegend(surface);
        surface.setStroke(new BasicStroke(1));
        axis.drawGrid(surface, lanesTop, lanesTop + lanes.height());
        axis.drawGrid(surface, valuesTop(), valuesTop() + ValuePanel.HEIGHT);
        values.draw(surface, axis, valuesTop());
        axis.drawLabels(surface, valuesTop() + ValuePanel.HEIGHT);
        drawNotes(surface);
        lanes.draw(surface, axis, lanesTop);
    }

    private static void drawLegend(Graphics2D surface) {
        surface.setFont(PictureFonts.plain(12));
        double x = 16;
        for (Activity activity : Activity.values()) {
            surface.setColor(LanePanel.colour(activity));
            surface.fill(new Rectangle2D.Double(x, LEGEND_Y - 11, 14, 14));
            x = drawName(surface, activity.label(), x);
        }
        surface.setColor(Palette.LIGHT_GREY);
        surface.setStroke(new BasicStroke(1));
        surface.draw(new Line2D.Double(x + 4, LEGEND_Y - 4, x + 18, LEGEND_Y - 4));
        LanePanel.drawCross(surface, x + 4, LEGEND_Y - 4, 4.5);
        drawName(surface, "dead", x + 4);
    }

    private static double drawName(Graphics2D surface, String name, double x) {
        surface.setColor(Palette.BLACK);
        Text.after(surface, name, x + 20, LEGEND_Y);
        return x + 20 + Text.width(surface, name) + 18;
    }

    /** Each in the topmost row that has room for it beside its time. */
    private static List<Note> notes(List<RunTrace.Failure> failures, TimeAxis axis) {
        double[] occupiedUntil = new double[MOST_NOTE_ROWS];
        List<Note> notes = new ArrayList<>();
        for (RunTrace.Failure failure : failures) {
            String text = note(failure);
            double width = text.length() * NOTE_CHARACTER_WIDTH;
            double lineX = axis.x(failure.nanos());
            boolean before = lineX + NOTE_DISTANCE + width > RIGHT;
            double textX = before ? lineX - NOTE_DISTANCE - width : lineX + NOTE_DISTANCE;
            int row = 0;
            while (row < MOST_NOTE_ROWS && occupiedUntil[row] > textX) {
                row++;
            }
            if (row < MOST_NOTE_ROWS) {
                occupiedUntil[row] = textX + width + NOTE_CHARACTER_WIDTH;
            }
            notes.add(new Note(text, lineX, before, row));
        }
        return notes;
    }

    private void drawNotes(Graphics2D surface) {
        surface.setFont(PictureFonts.plain(12));
        for (Note note : notes) {
            surface.setColor(Palette.GREY);
            surface.setStroke(FAILURE_LINE);
            double top = NOTES_TOP + Math.min(note.row(), MOST_NOTE_ROWS) * NOTE_HEIGHT - 10;
            surface.draw(new Line2D.Double(note.lineX(), top, note.lineX(), valuesTop() + ValuePanel.HEIGHT));
        }
        for (Note note : notes) {
            if (note.row() < MOST_NOTE_ROWS) {
                note.draw(surface);
            }
        }
    }

    private static String note(RunTrace.Failure failure) {
        String dead = failure.originalRanks().stream().map(String::valueOf).collect(Collectors.joining(", "));
        Long recovered = failure.recoveredNanos();
        return String.format(Locale.ROOT, failure.originalRanks().size() > 1
                ? "PEs %s die in iteration %d, %s"
                : "PE %s dies in iteration %d, %s", dead, failure.iteration(),
                recovered == null
                        ? "data lost"
                        : String.format(Locale.ROOT, "recovered after %.1f ms", (recovered - failure.nanos()) / 1e6));
    }
}
