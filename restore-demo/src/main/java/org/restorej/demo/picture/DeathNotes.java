package org.restorej.demo.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.restorej.cli.plot.Palette;
import org.restorej.cli.plot.PictureText;
import org.restorej.demo.run.RunTrace;

/**
 * Says above the lanes who died, each note beside the line of its time, in as many rows as it takes for no two to
 * overlap. Where that would be too many, notes of neighbours in time are joined.
 */
final class DeathNotes {
    private static final int MOST_ROWS = 4;
    private static final double ROW_HEIGHT = 17;
    private static final double TO_LINE = 5;
    private static final double BETWEEN = 8;
    private static final Font FONT = PictureText.plain(12);
    private static final BasicStroke FAILURE_LINE = new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10,
            new float[]{3, 3}, 0);

    private final TimeAxis axis;
    private final double leftEdge;
    private final List<Placed> placed;

    /** A note, from {@code left} to {@code right} in a row. */
    private record Placed(DeathNote note, int row, double left, double right) {
        boolean isApartFrom(double otherLeft, double otherRight) {
            return otherLeft >= right + BETWEEN || otherRight <= left - BETWEEN;
        }
    }

    /**
     * Places all notes.
     *
     * @param failures in order of time
     * @param axis of time; notes end at its right
     * @param leftEdge no note begins before it
     */
    DeathNotes(List<RunTrace.Failure> failures, TimeAxis axis, double leftEdge) {
        this.axis = axis;
        this.leftEdge = leftEdge;
        List<DeathNote> notes = new ArrayList<>(
                failures.stream().map(failure -> new DeathNote(List.of(failure))).toList());
        List<Placed> tried = new ArrayList<>();
        while (tried.size() < notes.size()) {
            if (!place(notes.get(tried.size()), tried)) {
                joinNearest(notes, tried.size());
                tried.clear();
            }
        }
        placed = List.copyOf(tried);
    }

    /** Makes one of the two neighbours nearest in time; of equally near ones those that come last. */
    private static void joinNearest(List<DeathNote> notes, int last) {
        int nearest = last;
        for (int i = last - 1; i > 0; i--) {
            if (gap(notes, i) < gap(notes, nearest)) {
                nearest = i;
            }
        }
        DeathNote later = notes.remove(nearest);
        notes.set(nearest - 1, notes.get(nearest - 1).and(later));
    }

    private static long gap(List<DeathNote> notes, int index) {
        return notes.get(index).nanos() - notes.get(index - 1).failures().getLast().nanos();
    }

    /** In the topmost row that has room for it. */
    private boolean place(DeathNote note, List<Placed> others) {
        double width = PictureText.width(FONT, note.text());
        double line = axis.x(note.nanos());
        boolean isBefore = line + TO_LINE + width > axis.right();
        double left = Math.max(leftEdge, isBefore ? line - TO_LINE - width : line + TO_LINE);
        OptionalInt row = IntStream.range(0, MOST_ROWS).filter(each -> others.stream()
                .filter(other -> other.row() == each).allMatch(other -> other.isApartFrom(left, left + width)))
                .findFirst();
        row.ifPresent(each -> others.add(new Placed(note, each, left, left + width)));
        return row.isPresent();
    }

    /** In the order of time. */
    List<String> texts() {
        return placed.stream().map(each -> each.note().text()).toList();
    }

    double height() {
        return ROW_HEIGHT * placed.stream().mapToInt(each -> each.row() + 1).max().orElse(0);
    }

    /** Draws the notes below {@code top}, and the lines of all failures down to {@code bottom}. */
    void draw(Graphics2D surface, double top, double bottom) {
        surface.setColor(Palette.GREY);
        surface.setStroke(FAILURE_LINE);
        for (Placed each : placed) {
            for (RunTrace.Failure failure : each.note().failures()) {
                double x = axis.x(failure.nanos());
                surface.draw(new Line2D.Double(x, top + each.row() * ROW_HEIGHT + 2, x, bottom));
            }
        }
        surface.setFont(FONT);
        for (Placed each : placed) {
            double baseline = top + each.row() * ROW_HEIGHT + 12;
            surface.setColor(Color.WHITE);
            surface.fill(new Rectangle2D.Double(each.left() - 2, baseline - 12, each.right() - each.left() + 4,
                    ROW_HEIGHT - 1));
            surface.setColor(Palette.BLACK);
            PictureText.after(surface, each.note().text(), each.left(), baseline);
        }
    }
}
