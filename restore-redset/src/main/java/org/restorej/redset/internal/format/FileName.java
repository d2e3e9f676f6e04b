package org.restorej.redset.internal.format;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Converts file names to text. For the operating system a name is bytes, mostly UTF-8. A byte that is not UTF-8 becomes
 * a lone low surrogate, {@code U+DC00} plus the byte, which no valid text contains. So every name can be converted
 * back.
 */
public final class FileName {
    private static final int ESCAPE = 0xDC00;

    private FileName() {}

    /** The text of a key whose chars are bytes. */
    public static String decode(String key) {
        if (isAscii(key)) {
            return key;
        }
        ByteBuffer bytes = ByteBuffer.wrap(key.getBytes(StandardCharsets.ISO_8859_1));
        // No byte becomes more than one char.
        CharBuffer text = CharBuffer.allocate(bytes.remaining());
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        for (CoderResult result = decoder.decode(bytes, text, true); !result.isUnderflow(); result = decoder
                .decode(bytes, text, true)) {
            for (int i = 0; i < result.length(); i++) {
                text.put((char) (ESCAPE + (bytes.get() & 0xFF)));
            }
        }
        return text.flip().toString();
    }

    /** The key, with bytes as chars, of a text. */
    public static String encode(String text) {
        if (isAscii(text)) {
            return text;
        }
        StringBuilder key = new StringBuilder();
        text.codePoints().forEach(letter -> {
            if (isEscape(letter)) {
                key.append((char) (letter - ESCAPE));
            } else {
                key.append(new String(Character.toString(letter).getBytes(StandardCharsets.UTF_8),
                        StandardCharsets.ISO_8859_1));
            }
        });
        return key.toString();
    }

    /** Whether a text has only ASCII characters. Without a loop, which the JVM interprets in a job's first calls. */
    public static boolean isAscii(String text) {
        return new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII).equals(text);
    }

    private static boolean isEscape(int letter) {
        return letter >= ESCAPE + 0x80 && letter <= ESCAPE + 0xFF;
    }

    /** A text for messages: a byte that is not UTF-8 is shown as {@code \xFF}. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(letter -> {
            if (isEscape(letter)) {
                shown.append(String.format("\\x%02X", letter - ESCAPE));
            } else {
                shown.appendCodePoint(letter);
            }
        });
        return shown.toString();
    }
}
