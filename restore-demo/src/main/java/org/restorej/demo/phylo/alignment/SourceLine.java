package org.restorej.demo.phylo.alignment;

/**
 * A line that isn't blank.
 *
 * @param number where it stands, from 1
 * @param text without line end
 */
record SourceLine(int number, String text) {
    /** Index of the first character at or after {@code from} that isn't white space, or the length. */
    int skipBlanks(int from) {
        int index = from;
        while (index < text.length() && Character.isWhitespace(text.charAt(index))) {
            index++;
        }
        return index;
    }

    /** Index of the first white space at or after {@code from}, or the length. */
    int skipWord(int from) {
        int index = from;
        while (index < text.length() && !Character.isWhitespace(text.charAt(index))) {
            index++;
        }
        return index;
    }
}
