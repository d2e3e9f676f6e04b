package org.restorej.demo.phylo.alignment;

import java.util.Arrays;

/**
 * The letters of an alignment as sets of states: bit 0 is A, bit 1 C, bit 2 G, bit 3 T.
 *
 * <p>
 * These are the IUPAC codes in either case, U as T, and {@code - ? N X O ~} for an unknown state, as IQ-TREE and RAxML
 * read them. {@code .} isn't among them: PHYLIP's own programs take it for "as in the first row", IQ-TREE for
 * "unknown", and a guess would change the answer silently.
 */
public final class Nucleotides {
    /** Number of states. */
    public static final int STATES = 4;

    /** Number of different sets of states, the empty one included. */
    public static final int MASKS = 1 << STATES;

    /** Any of the four states. */
    public static final byte UNKNOWN = MASKS - 1;

    private static final byte INVALID = 0;
    private static final byte[] MASK_OF_LETTER = masks();

    private Nucleotides() {}

    private static byte[] masks() {
        byte[] masks = new byte[128];
        Arrays.fill(masks, INVALID);
        // The position of a letter in this string is its set: A = 1, C = 2, A or C = M = 3, and so on.
        String codes = " ACMGRSVTWYHKDBN";
        for (int mask = 1; mask < MASKS; mask++) {
            masks[codes.charAt(mask)] = (byte) mask;
        }
        masks['U'] = masks['T'];
        for (char unknown : "-?XO~".toCharArray()) {
            masks[unknown] = UNKNOWN;
        }
        for (char letter = 'A'; letter <= 'Z'; letter++) {
            masks[letter - 'A' + 'a'] = masks[letter];
        }
        return masks;
    }

    /** Set of states that a letter stands for, 1 to 15, or 0 when it stands for none. */
    static byte maskOf(char letter) {
        return letter < MASK_OF_LETTER.length ? MASK_OF_LETTER[letter] : INVALID;
    }
}
