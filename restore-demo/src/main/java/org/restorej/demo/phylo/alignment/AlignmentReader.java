package org.restorej.demo.phylo.alignment;

import java.util.ArrayList;
import java.util.List;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;

/**
 * Reads alignments: PHYLIP, relaxed or strict, sequential or interleaved, and FASTA. Whether it is PHYLIP or FASTA
 * shows in the first character.
 */
public final class AlignmentReader {
    private AlignmentReader() {}

    /**
     * Parses an alignment.
     *
     * @param input the text
     * @param expectedTaxa names that decide where PHYLIP can be read in several ways
     * @throws InvalidInputException when it isn't a valid alignment; the message has line and, for letters, column
     */
    public static Alignment parse(InputText input, List<String> expectedTaxa) {
        String source = input.source();
        List<SourceLine> lines = contentLines(input.content());
        if (lines.isEmpty()) {
            throw new InvalidInputException(source + ": the alignment is empty");
        }
        SourceLine first = lines.getFirst();
        char begin = first.text().charAt(first.skipBlanks(0));
        if (begin == '>') {
            return new FastaParser(source).parse(lines);
        }
        if (begin >= '0' && begin <= '9') {
            return new PhylipParser(source, expectedTaxa).parse(lines);
        }
        if (first.text().strip().regionMatches(true, 0, "#NEXUS", 0, 6)) {
            throw InvalidInputException.at(source, first.number(),
                    "this is a NEXUS file, which isn't read: save the alignment as PHYLIP or FASTA");
        }
        throw InvalidInputException.at(source, first.number(), first.skipBlanks(0) + 1,
                "neither PHYLIP, which begins with two counts, nor FASTA, which begins with '>'");
    }

    private static List<SourceLine> contentLines(String text) {
        List<SourceLine> lines = new ArrayList<>();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (!line.isBlank()) {
                lines.add(new SourceLine(number, line));
            }
        }
        return lines;
    }
}
