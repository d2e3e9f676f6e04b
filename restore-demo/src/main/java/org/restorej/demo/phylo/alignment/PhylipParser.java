package org.restorej.demo.phylo.alignment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.restorej.cli.command.InvalidInputException;

/**
 * PHYLIP: a line with the numbers of taxa and sites, then names, and sequences that may contain white space.
 *
 * <p>
 * <em>Relaxed</em>: a name ends at white space. <em>Strict</em>: a name has ten characters, blanks included.
 * <em>Sequential</em>: one row after the other, each over one or more lines. <em>Interleaved</em>: a piece of every
 * row, then the next piece of every row without names. The format doesn't say which one a file is, so all are tried.
 */
final class PhylipParser {
    private static final int STRICT_NAME = 10;

    private final String source;
    private final List<String> expectedTaxa;

    PhylipParser(String source, List<String> expectedTaxa) {
        this.source = source;
        this.expectedTaxa = expectedTaxa;
    }

    private record Header(int taxa, int sites, int line) {}

    /** A way to read the file. */
    private record Reading(boolean isStrict, boolean isInterleaved) {
        @Override
        public String toString() {
            return (isInterleaved ? "interleaved" : "sequential") + (isStrict ? " with names of ten characters" : "");
        }
    }

    /**
     * Reads the rows in the one way that fits the header; of several, in the one whose taxa are the expected ones.
     * Where none fits, the error is that of the likeliest.
     */
    Alignment parse(List<SourceLine> lines) {
        Header header = header(lines.getFirst());
        List<SourceLine> body = lines.subList(1, lines.size());
        Map<Reading, Alignment> fitting = new LinkedHashMap<>();
        List<InvalidInputException> errors = new ArrayList<>();
        for (Reading reading : readings(header, body)) {
            try {
                Alignment alignment = read(reading, header, body);
                if (fitting.values().stream().noneMatch(alignment::isSameAs)) {
                    fitting.put(reading, alignment);
                }
            } catch (InvalidInputException doesNotFit) {
                errors.add(doesNotFit);
            }
        }
        if (fitting.isEmpty()) {
            throw errors.getFirst();
        }
        return chosen(fitting, header);
    }

    private Alignment chosen(Map<Reading, Alignment> fitting, Header header) {
        if (fitting.size() > 1) {
            Set<String> expected = Set.copyOf(expectedTaxa);
            List<Alignment> expectedOnes = fitting.values().stream()
                    .filter(alignment -> Set.copyOf(alignment.taxa()).equals(expected)).toList();
            if (expectedOnes.size() != 1) {
                throw InvalidInputException.at(source, header.line(), "the file can be read in several ways, "
                        + expectedOnes.size() + " of them with the taxa of the tree: " + fitting.entrySet().stream()
                                .map(way -> way.getKey() + " (taxa " + String.join(", ", way.getValue().taxa()) + ")")
                                .collect(Collectors.joining("; "))
                        + ". Write each row on one line");
            }
            return expectedOnes.getFirst();
        }
        return fitting.values().iterator().next();
    }

    /** The likeliest first. */
    private static List<Reading> readings(Header header, List<SourceLine> body) {
        if (body.size() <= header.taxa()) {
            return List.of(new Reading(false, false), new Reading(true, false));
        }
        boolean interleaved = likelyInterleaved(header, body);
        return List.of(new Reading(false, interleaved), new Reading(false, !interleaved),
                new Reading(true, interleaved), new Reading(true, !interleaved));
    }

    private Alignment read(Reading reading, Header header, List<SourceLine> body) {
        if (body.size() <= header.taxa()) {
            return oneLineRows(reading, header, body);
        }
        return reading.isInterleaved() ? interleaved(reading, header, body) : sequential(reading, header, body);
    }

    private Header header(SourceLine line) {
        String[] words = line.text().strip().split("\\s+", -1);
        if (words.length != 2) {
            throw InvalidInputException.at(source, line.number(),
                    "a PHYLIP file must begin with the numbers of taxa and sites: '" + line.text().strip() + "'");
        }
        return new Header(count(words[0], "taxa", 2, line), count(words[1], "sites", 1, line), line.number());
    }

    private int count(String word, String what, int min, SourceLine line) {
        if (!word.matches("[0-9]{1,9}") || Integer.parseInt(word) < min) {
            throw InvalidInputException.at(source, line.number(),
                    "the number of " + what + " must be a whole number of at least " + min + ": '" + word + "'");
        }
        return Integer.parseInt(word);
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

    private Alignment oneLineRows(Reading reading, Header header, List<SourceLine> body) {
        SequenceRows rows = new SequenceRows(source);
        for (SourceLine line : body) {
            beginRow(reading, rows, line, header);
            checkComplete(rows, rows.count() - 1, header, line.number());
        }
        return finish(rows, header);
    }

    private Alignment sequential(Reading reading, Header header, List<SourceLine> body) {
        SequenceRows rows = new SequenceRows(source);
        int index = 0;
        while (index < body.size()) {
            SourceLine line = body.get(index++);
            if (rows.count() == header.taxa()) {
                throw InvalidInputException.at(source, line.number(),
                        "more lines than the " + header.taxa() + " taxa of " + header.sites() + " sites, as line "
                                + header.line() + " has them, can fill");
            }
            beginRow(reading, rows, line, header);
            int row = rows.count() - 1;
            while (rows.length(row) < header.sites() && index < body.size()) {
                line = body.get(index++);
                rows.append(row, line, 0);
            }
            checkComplete(rows, row, header, line.number());
        }
        return finish(rows, header);
    }

    private Alignment interleaved(Reading reading, Header header, List<SourceLine> body) {
        SequenceRows rows = new SequenceRows(source);
        for (int index = 0; index < body.size(); index++) {
            SourceLine line = body.get(index);
            int row = index % header.taxa();
            if (index < header.taxa()) {
                beginRow(reading, rows, line, header);
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

    private void beginRow(Reading reading, SequenceRows rows, SourceLine line, Header header) {
        int begin = reading.isStrict() ? 0 : line.skipBlanks(0);
        int end = reading.isStrict() ? Math.min(STRICT_NAME, line.text().length()) : line.skipWord(begin);
        String name = line.text().substring(begin, end).strip();
        if (name.isEmpty()) {
            throw InvalidInputException.at(source, line.number(), "the name of a taxon must not be blank");
        }
        // A header may promise more sites than there are: room for what is there is made as it comes.
        rows.begin(name, line.number(), Math.min(header.sites(), line.text().length()));
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
