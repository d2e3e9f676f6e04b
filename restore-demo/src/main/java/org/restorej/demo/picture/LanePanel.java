package org.restorej.demo.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.restorej.cli.plot.Palette;
import org.restorej.cli.plot.PictureText;
import org.restorej.demo.run.Activity;
import org.restorej.demo.run.RunTrace;

/** A lane for each PE: what it did, and where it died. */
final class LanePanel {
    /** More can't be told apart; failed PEs come before others. */
    static final int MOST_LANES = 128;
    /** Pale, as it fills most of the picture. */
    private static final Color COMPUTING = new Color(0xCFE3F1);
    private static final int PREFERRED_HEIGHT = 480;
    private static final double LEAST_PITCH = 5;
    private static final double MOST_PITCH = 26;
    /** What is shorter than this many units is drawn as long, to be seen. */
    private static final double LEAST_WIDTH = 0.8;
    private static final double LABEL_HEIGHT = 14;

    private final List<RunTrace.Lane> lanes;
    private final Map<Integer, Long> deaths = new HashMap<>();
    private final long endNanos;
    private final double pitch;

    LanePanel(RunTrace trace) {
        for (RunTrace.Failure failure : trace.failures()) {
            failure.originalRanks().forEach(rank -> deaths.put(rank, failure.nanos()));
        }
        endNanos = trace.endNanos();
        lanes = trace.lanes().stream()
                .sorted(Comparator.comparing((RunTrace.Lane lane) -> !deaths.containsKey(lane.originalRank())))
                .limit(MOST_LANES).sorted(Comparator.comparingInt(RunTrace.Lane::originalRank)).toList();
        pitch = Math.clamp((double) PREFERRED_HEIGHT / Math.max(1, lanes.size()), LEAST_PITCH, MOST_PITCH);
    }

    static Color colour(Activity activity) {
        return switch (activity) {
            case COMPUTE -> COMPUTING;
            case NOTICE -> Palette.ORANGE;
            case SHRINK -> Palette.VERMILION;
            case PULL -> Palette.BLUE;
            case TAKE_OVER -> Palette.PURPLE;
            case REPLENISH -> Palette.GREEN;
        };
    }

    double height() {
        return pitch * lanes.size();
    }

    void draw(Graphics2D surface, TimeAxis axis, double top) {
        double y = top;
        double freeFrom = top;
        surface.setFont(PictureText.plain(12));
        for (RunTrace.Lane lane : lanes) {
            drawSpans(surface, axis, lane, y);
            boolean died = deaths.containsKey(lane.originalRank());
            if (y + pitch / 2 - LABEL_HEIGHT / 2 >= freeFrom - 1) {
                surface.setColor(died ? Palette.VERMILION : Palette.BLACK);
                PictureText.before(surface, "PE " + lane.originalRank(), axis.left() - 8, y + pitch / 2 + 4);
                freeFrom = y + pitch / 2 + LABEL_HEIGHT / 2;
            }
            y += pitch;
        }
        drawDeaths(surface, axis, top);
    }

    private void drawSpans(Graphics2D surface, TimeAxis axis, RunTrace.Lane lane, double y) {
        double barTop = y + pitch * 0.12;
        double barHeight = pitch * 0.76;
        for (RunTrace.Span span : joined(lane.spans())) {
            double from = axis.x(span.fromNanos());
            double width = Math.max(LEAST_WIDTH, axis.x(span.toNanos()) - from);
            surface.setColor(colour(span.activity()));
            surface.fill(new Rectangle2D.Double(from, barTop, width, barHeight));
        }
        Long death = deaths.get(lane.originalRank());
        if (death != null) {
            surface.setColor(Palette.LIGHT_GREY);
            surface.setStroke(new BasicStroke(1));
            surface.draw(new Line2D.Double(axis.x(death), y + pitch / 2, axis.x(endNanos), y + pitch / 2));
        }
    }

    /** Neighbours that do the same as one. */
    private static List<RunTrace.Span> joined(List<RunTrace.Span> spans) {
        List<RunTrace.Span> joined = new ArrayList<>();
        for (RunTrace.Span span : spans) {
            RunTrace.Span last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && last.activity() == span.activity() && span.fromNanos() <= last.toNanos()) {
                joined.set(joined.size() - 1, new RunTrace.Span(span.activity(), last.fromNanos(),
                        Math.max(last.toNanos(), span.toNanos())));
            } else {
                joined.add(span);
            }
        }
        return joined;
    }

    /** Last, so that nothing lies over them. */
    private void drawDeaths(Graphics2D surface, TimeAxis axis, double top) {
        double y = top + pitch / 2;
        for (RunTrace.Lane lane : lanes) {
            Long death = deaths.get(lane.originalRank());
            if (death != null) {
                drawCross(surface, axis.x(death), y, Math.clamp(pitch * 0.3, 3.5, 6));
            }
            y += pitch;
        }
    }

    static void drawCross(Graphics2D surface, double x, double y, double half) {
        surface.setColor(Palette.BLACK);
        surface.setStroke(new BasicStroke(2.4f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        surface.draw(new Line2D.Double(x - half, y - half, x + half, y + half));
        surface.draw(new Line2D.Double(x - half, y + half, x + half, y - half));
    }
}
