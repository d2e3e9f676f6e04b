package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A table in Markdown whose text can be read as it is, too: columns have the same width in all lines. One thread. */
final class MarkdownTable {
    private final List<List<String>> rows = new ArrayList<>();

    MarkdownTable(List<String> head) {
        rows.add(List.copyOf(head));
    }

    /** Adds a row with as many cells as the head has. */
    void add(List<String> cells) {
        if (cells.size() != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row must have " + rows.getFirst().size() + " cells: cells=" + cells);
        }
        rows.add(cells.stream().map(cell -> cell.replace("|", "\\|")).toList());
    }

    /** The text, with a line end after each line. */
    @Override
    public String toString() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], Math.max(3, row.get(column).length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows.size(); row++) {
            text.append(line(rows.get(row), widths));
            if (row == 0) {
                List<String> rule = new ArrayList<>();
                for (int width : widths) {
                    rule.add("-".repeat(width));
                }
                text.append(line(rule, widths));
            }
        }
        return text.toString();
    }

    private static String line(List<String> cells, int[] widths) {
        List<String> padded = new ArrayList<>(Collections.nCopies(cells.size(), ""));
        for (int column = 0; column < widths.length; column++) {
            padded.set(column, cells.get(column) + " ".repeat(widths[column] - cells.get(column).length()));
        }
        return padded.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
