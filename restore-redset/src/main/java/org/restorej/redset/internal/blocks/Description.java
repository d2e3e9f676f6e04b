package org.restorej.redset.internal.blocks;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What an application says its blocks mean, so that a restart with other data of the same shape is found.
 *
 * @param text empty where it says nothing
 */
public record Description(String text) {
    /** Bytes of a description in UTF-8: enough for names and digests, and no data. */
    public static final int MAX_BYTES = 1 << 16;
    /** Where nothing is said. */
    public static final Description NONE = new Description("");
    /** Characters of each text that a message shows, from where they differ. */
    private static final int SHOWN = 200;

    /** Bytes in UTF-8. */
    public int bytes() {
        return encoded().length;
    }

    private byte[] encoded() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What keeps it from being saved. */
    public Optional<String> mistake() {
        return bytes() <= MAX_BYTES
                ? Optional.empty()
                : Optional.of("description must have at most " + MAX_BYTES + " bytes in UTF-8 (save a digest of what "
                        + "is longer): it has " + bytes());
    }

    /** How it differs from another, as both say it; empty when they are the same. */
    public Optional<String> difference(Description other) {
        if (text.equals(other.text)) {
            return Optional.empty();
        }
        int same = 0;
        while (same < Math.min(text.length(), other.text.length()) && text.charAt(same) == other.text.charAt(same)) {
            same++;
        }
        String where = same == 0 ? "" : ", from character " + same + " on";
        return Optional.of("the checkpoint's blocks are described as " + shown(text, same)
                + ", and this program describes them as " + shown(other.text, same) + where);
    }

    private static String shown(String text, int from) {
        String rest = text.substring(from);
        return '"' + (rest.length() > SHOWN ? rest.substring(0, SHOWN) + "..." : rest) + '"';
    }

    void writeTo(DataOutput output) throws IOException {
        output.write(encoded());
    }

    static Description readFrom(DataInput input, int bytes) throws IOException {
        byte[] encoded = new byte[bytes];
        input.readFully(encoded);
        return new Description(new String(encoded, StandardCharsets.UTF_8));
    }
}
