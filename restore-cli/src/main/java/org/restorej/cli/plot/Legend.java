package org.restorej.cli.plot;

import java.awt.Font;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of series, long ones in several lines.
 *
 * @param entries in order
 * @param font of the names
 */
record Legend(List<Entry> entries, Font font) {
    private static final double MOST_NAME_WIDTH = 205;
    private static final double LINE_HEIGHT = 16;
    private static final double BETWEEN = 7;
    private static final double TO_NAME = 8;
    /** From a baseline up to the middle of small letters. */
    private static final double TO_MIDDLE = 4.5;

    /**
     * A series and the lines of its name.
     *
     * @param series what
     * @param lines at least one
     */
    record Entry(SeriesPainter series, List<String> lines) {}

    static Legend of(List<SeriesPainter> series, Font font) {
        return new Legend(series.stream().map(one -> new Entry(one, lines(one.series().name(), font))).toList(), font);
    }

    /** As much in a line as has room, broken behind commas where that is possible. */
    private static List<String> lines(String name, Font font) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String part : parts(name.strip(), font)) {
            String longer = line.isEmpty() ? part : line + " " + part;
            if (!line.isEmpty() && !hasRoom(longer, font)) {
                lines.add(line);
                line = part;
            } else {
                line = longer;
            }
        }
        lines.add(line);
        return lines;
    }

    private static List<String> parts(String name, Font font) {
        return Stream.of(name.split("(?<=,)\\s+", -1))
                .flatMap(part -> hasRoom(part, font) ? Stream.of(part) : Stream.of(part.split("\\s+", -1))).toList();
    }

    private static boolean hasRoom(String line, Font font) {
        return PictureText.width(font, line) <= MOST_NAME_WIDTH;
    }

    double width() {
        return SeriesPainter.SAMPLE_WIDTH + TO_NAME + entries.stream().flatMap(entry -> entry.lines().stream())
                .mapToDouble(line -> PictureText.width(font, line)).max().orElse(0);
    }

    void draw(Graphics2D surface, double left, double top) {
        surface.setFont(font);
        double baseline = top + LINE_HEIGHT;
        for (Entry entry : entries) {
            entry.series().drawSample(surface, left, baseline - TO_MIDDLE);
            surface.setColor(Palette.BLACK);
            for (String line : entry.lines()) {
                PictureText.after(surface, line, left + SeriesPainter.SAMPLE_WIDTH + TO_NAME, baseline);
                baseline += LINE_HEIGHT;
            }
            baseline += BETWEEN;
        }
    }
}
