package org.restorej.tools.markdown;

import java.util.List;

/**
 * A row of a table, below its header.
 *
 * @param heading the heading that the table stands under
 * @param cells their texts
 * @param codes of each cell the pieces of inline code
 */
public record TableRow(String heading, List<String> cells, List<List<String>> codes) {
    /** Copies the lists. */
    public TableRow {
        cells = List.copyOf(cells);
        codes = codes.stream().map(List::copyOf).toList();
    }
}
