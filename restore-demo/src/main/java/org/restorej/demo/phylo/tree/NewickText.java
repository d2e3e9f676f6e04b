package org.restorej.demo.phylo.tree;

import java.util.regex.Pattern;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;

/** The words of a Newick text: punctuation, labels, numbers; white space and comments between them are skipped. */
final class NewickText {
    /** What {@link #peek} returns at the end of the text. */
    static final char END = 0;

    private static final String PUNCTUATION = "()[]:;,'";
    /** {@link Double#parseDouble} alone would also take {@code 1d}, {@code NaN} and hexadecimal numbers. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private final InputText input;
    private final String text;
    private int offset;

    NewickText(InputText input) {
        this.input = input;
        text = input.content();
    }

    /** Offset of the next word. */
    int offset() {
        return offset;
    }

    /** First character of the next word. */
    char peek() {
        while (offset < text.length()) {
            char next = text.charAt(offset);
            if (next == '[') {
                skipComment();
            } else if (Character.isWhitespace(next)) {
                offset++;
            } else {
                return next;
            }
        }
        return END;
    }

    private void skipComment() {
        int begin = offset;
        int depth = 0;
        do {
            if (offset == text.length()) {
                throw error(begin, "the comment that begins here has no ']'");
            }
            char next = text.charAt(offset++);
            depth += next == '[' ? 1 : next == ']' ? -1 : 0;
        } while (depth > 0);
    }

    /** Whether the next word begins a file in NEXUS. */
    boolean isNexus() {
        String word = "#NEXUS";
        return text.regionMatches(true, offset, word, 0, word.length());
    }

    /** Skips a punctuation mark. */
    void skip() {
        offset++;
    }

    /** The label that begins here, or an empty one. Underscores stay: names in alignments have them too. */
    String label() {
        if (peek() == '\'') {
            return quotedLabel();
        }
        return bareWord();
    }

    private String bareWord() {
        int begin = offset;
        while (offset < text.length() && PUNCTUATION.indexOf(text.charAt(offset)) < 0
                && !Character.isWhitespace(text.charAt(offset))) {
            offset++;
        }
        return text.substring(begin, offset);
    }

    private String quotedLabel() {
        int begin = offset++;
        StringBuilder label = new StringBuilder();
        while (offset < text.length()) {
            char next = text.charAt(offset++);
            if (next != '\'') {
                label.append(next);
            } else if (offset < text.length() && text.charAt(offset) == '\'') {
                label.append('\'');
                offset++;
            } else {
                return label.toString();
            }
        }
        throw error(begin, "the quoted name that begins here has no closing quote");
    }

    /** The branch length that must be here. */
    double length() {
        peek();
        int begin = offset;
        String word = bareWord();
        if (!NUMBER.matcher(word).matches()) {
            throw error(begin, "a branch length must be a number: '" + word + "'");
        }
        double length = Double.parseDouble(word);
        if (length < 0 || length > Tree.MAX_LENGTH) {
            throw error(begin, "a branch length must be in 0..1,000,000 expected substitutions per site: '" + word
                    + "'");
        }
        return length;
    }

    /** An error at an offset, as line and column. */
    InvalidInputException error(int at, String message) {
        int line = 1;
        int lineBegin = 0;
        for (int index = 0; index < at; index++) {
            if (text.charAt(index) == '\n') {
                line++;
                lineBegin = index + 1;
            }
        }
        return InvalidInputException.at(input.source(), line, at - lineBegin + 1, message);
    }
}
