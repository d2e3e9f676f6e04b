package org.restorej.demo.phylo.alignment;

import java.util.List;
import org.restorej.cli.command.InvalidInputException;

/** FASTA: {@code >name anything}, then the sequence in any number of lines. */
final class FastaParser {
    private final String source;

    FastaParser(String source) {
        this.source = source;
    }

    Alignment parse(List<SourceLine> lines) {
        SequenceRows rows = new SequenceRows(source);
        for (SourceLine line : lines) {
            int begin = line.skipBlanks(0);
            if (line.text().charAt(begin) == '>') {
                rows.begin(name(line, begin + 1), line.number(), rows.count() == 0 ? 0 : rows.length(0));
            } else {
                rows.append(rows.count() - 1, line, begin);
            }
        }
        checkShape(rows);
        return rows.toAlignment(rows.length(0));
    }

    private String name(SourceLine line, int from) {
        int begin = line.skipBlanks(from);
        if (begin == line.text().length()) {
            throw InvalidInputException.at(source, line.number(), "a name must follow '>'");
        }
        return line.text().substring(begin, line.skipWord(begin));
    }

    private void checkShape(SequenceRows rows) {
        for (int row = 0; row < rows.count(); row++) {
            if (rows.length(row) == 0) {
                throw InvalidInputException.at(source, rows.line(row),
                        "no sequence follows the name '" + rows.taxon(row) + "'");
            }
            if (rows.length(row) != rows.length(0)) {
                throw InvalidInputException.at(source, rows.line(row),
                        "rows must be of equal length: '" + rows.taxon(row) + "' has " + rows.length(row)
                                + " sites, '" + rows.taxon(0) + "' has " + rows.length(0));
            }
        }
        if (rows.count() < 2) {
            throw new InvalidInputException(source + ": an alignment must have at least 2 taxa: taxa=" + rows.count());
        }
    }
}
