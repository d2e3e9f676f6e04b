package org.restorej.demo.phylo.alignment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.restorej.cli.command.InvalidInputException;

/** The rows of an alignment while it is read: names that must differ, and letters that come piece by piece. */
final class SequenceRows {
    private final String source;
    private final List<String> taxa = new ArrayList<>();
    private final List<byte[]> masks = new ArrayList<>();
    private final List<Integer> nameLines = new ArrayList<>();
    private final Map<String, Integer> lineOfTaxon = new HashMap<>();
    private int[] lengths = new int[16];

    SequenceRows(String source) {
        this.source = source;
    }

    int count() {
        return taxa.size();
    }

    int length(int row) {
        return lengths[row];
    }

    String taxon(int row) {
        return taxa.get(row);
    }

    /** Line with the name of the row. */
    int line(int row) {
        return nameLines.get(row);
    }

    /** Begins the next row. */
    void begin(String taxon, int line, int expectedLength) {
        Integer earlier = lineOfTaxon.putIfAbsent(taxon, line);
        if (earlier != null) {
            throw InvalidInputException.at(source, line,
                    "taxon '" + taxon + "' is there twice, first in line " + earlier);
        }
        taxa.add(taxon);
        nameLines.add(line);
        masks.add(new byte[Math.max(expectedLength, 16)]);
        if (taxa.size() > lengths.length) {
            lengths = Arrays.copyOf(lengths, 2 * lengths.length);
        }
    }

    /** Appends the letters of a line from an index on; white space between them doesn't count. */
    void append(int row, SourceLine line, int from) {
        String text = line.text();
        int length = lengths[row];
        byte[] rowMasks = masks.get(row);
        if (rowMasks.length - length < text.length() - from) {
            rowMasks = Arrays.copyOf(rowMasks, Math.max(length + text.length() - from, rowMasks.length * 3 / 2));
            masks.set(row, rowMasks);
        }
        for (int index = from; index < text.length(); index++) {
            char letter = text.charAt(index);
            if (!Character.isWhitespace(letter)) {
                rowMasks[length++] = checkedMask(letter, line.number(), index + 1, row);
            }
        }
        lengths[row] = length;
    }

    private byte checkedMask(char letter, int line, int column, int row) {
        byte mask = Nucleotides.maskOf(letter);
        if (mask != 0) {
            return mask;
        }
        String reason = letter == '.'
                ? "'.' in the sequence of '" + taxon(row)
                        + "' is 'as in the first row' to some programs and 'unknown' to others: write the state, or '?'"
                : "unknown character '" + letter + "' in the sequence of '" + taxon(row)
                        + "': expected A, C, G, T, U, an IUPAC code, '-' or '?'";
        throw InvalidInputException.at(source, line, column, reason);
    }

    /** The alignment, whose rows were checked to be of this length. */
    Alignment toAlignment(int siteCount) {
        byte[][] rows = new byte[taxa.size()][];
        for (int row = 0; row < rows.length; row++) {
            byte[] rowMasks = masks.get(row);
            rows[row] = rowMasks.length == siteCount ? rowMasks : Arrays.copyOf(rowMasks, siteCount);
        }
        return new Alignment(taxa, rows);
    }
}
