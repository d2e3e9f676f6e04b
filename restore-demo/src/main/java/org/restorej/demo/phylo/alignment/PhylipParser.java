package org.restorej.demo.phylo.alignment;

import java.util.List;
import org.restorej.cli.command.InvalidInputException;

/**
 * Relaxed PHYLIP: a line with the numbers of taxa and sites, then names that end at white space, and sequences that may
 * contain it.
 *
 * <p>
 * <em>Sequential</em>: one row after the other, each over one or more lines. <em>Interleaved</em>: a piece of every
 * row, then the next piece of every row without names. The format doesn't say which one a file is, so the likelier is
 * tried first, then the other, and the error of the likelier is shown.
 */
final class PhylipParser {
    private final String source;

    PhylipParser(String source) {
        this.source = source;
    }

    private record Header(int taxa, int sites, int line) {}

    Alignment parse(List<SourceLine> lines) {
        Header header = header(lines.getFirst());
        List<SourceLine> body = lines.subList(1, lines.size());
        if (body.size() <= header.taxa()) {
            return oneLineRows(header, body);
        }
        boolean likelyInterleaved = likelyInterleaved(header, body);
        try {
            return likelyInterleaved ? interleaved(header, body) : sequential(header, body);
        } catch (InvalidInputException likelier) {
            try {
                return likelyInterleaved ? sequential(header, body) : interleaved(header, body);
            } catch (InvalidInputException other) {
                likelier.addSuppressed(other);
                throw likelier;
            }
        }
    }

    private Header header(SourceLine line) {
        String[] words = line.text().strip().split("\\s+", -1);
        if (words.length != 2) {
            throw InvalidInputException.at(source, line.number(),
                    "a PHYLIP file must begin with the numbers of taxa and sites: '" + line.text().strip() + "'");
        }
        return new Header(count(words[0], "taxa", 2, line), count(words[1], "sites", 1, line), line.number());
    }

    private int count(String word, String what, int least, SourceLine line) {
        try {
            int count = Integer.parseInt(word);
            if (count >= least && word.matches("[0-9]+")) {
                return count;
            }
        } catch (NumberFormatException notANumber) {
            // The message below says it.
        }
        throw InvalidInputException.at(source, line.number(),
                "the number of " + what + " must be a whole number of at least " + least + ": '" + word + "'");
    }

    /** Whether the first lines look like pieces of all rows: the number of lines fits, and all pieces are as long. */
    private static boolean likelyInterleaved(Header header, List<SourceLine> body) {
        if (body.size() % header.taxa() != 0) {
            return false;
        }
        int first = -1;
        for (SourceLine line : body.subList(0, header.taxa())) {
            int letters = lettersAfterName(line);
            if (first < 0) {
                first = letters;
            }
            if (letters != first || letters == 0) {
                return false;
            }
        }
        return first < header.sites();
    }

    private static int lettersAfterName(SourceLine line) {
        int letters = 0;
        for (int index = line.skipWord(line.skipBlanks(0)); index < line.text().length(); index++) {
            letters += Character.isWhitespace(line.text().charAt(index)) ? 0 : 1;
        }
        return letters;
    }

    private Alignment oneLineRows(Header header, List<SourceLine> body) {
        SequenceRows rows = new SequenceRows(source);
        for (SourceLine line : body) {
            beginRow(rows, line, header);
            checkComplete(rows, rows.count() - 1, header, line.number());
        }
        return finish(rows, header);
    }

    private Alignment sequential(Header header, List<SourceLine> body) {
        SequenceRows rows = new SequenceRows(source);
        int index = 0;
        while (index < body.size()) {
            SourceLine line = body.get(index++);
            if (rows.count() == header.taxa()) {
                throw InvalidInputException.at(source, line.number(),
                        "more lines than the " + header.taxa() + " taxa of " + header.sites() + " sites, as line "
                                + header.line() + " has them, can fill");
            }
            beginRow(rows, line, header);
            int row = rows.count() - 1;
            while (rows.length(row) < header.sites() && index < body.size()) {
                line = body.get(index++);
                rows.append(row, line, 0);
            }
            checkComplete(rows, row, header, line.number());
        }
        return finish(rows, header);
    }

    private Alignment interleaved(Header header, List<SourceLine> body) {
        SequenceRows rows = new SequenceRows(source);
        for (int index = 0; index < body.size(); index++) {
            SourceLine line = body.get(index);
            int row = index % header.taxa();
            if (index < header.taxa()) {
                beginRow(rows, line, header);
            } else {
                rows.append(row, line, 0);
            }
            if (rows.length(row) != rows.length(0)) {
                throw InvalidInputException.at(source, line.number(),
                        "rows must be of equal length: up to here '" + rows.taxon(row) + "' has " + rows.length(row)
                                + " sites, '" + rows.taxon(0) + "' has " + rows.length(0));
            }
        }
        for (int row = 0; row < rows.count(); row++) {
            checkComplete(rows, row, header, rows.line(row));
        }
        return finish(rows, header);
    }

    private static void beginRow(SequenceRows rows, SourceLine line, Header header) {
        int begin = line.skipBlanks(0);
        int end = line.skipWord(begin);
        // A header may promise more sites than there are: room for what is there is made as it comes.
        rows.begin(line.text().substring(begin, end), line.number(), Math.min(header.sites(), line.text().length()));
        rows.append(rows.count() - 1, line, end);
    }

    private void checkComplete(SequenceRows rows, int row, Header header, int line) {
        if (rows.length(row) != header.sites()) {
            throw InvalidInputException.at(source, line, "the row of '" + rows.taxon(row) + "' has "
                    + rows.length(row) + " sites, line " + header.line() + " says " + header.sites());
        }
    }

    private Alignment finish(SequenceRows rows, Header header) {
        if (rows.count() != header.taxa()) {
            throw InvalidInputException.at(source, header.line(),
                    "the line says " + header.taxa() + " taxa, the file has " + rows.count());
        }
        return rows.toAlignment(header.sites());
    }
}
