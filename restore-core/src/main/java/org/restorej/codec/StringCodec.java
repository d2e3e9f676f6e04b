package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Serializes texts in UTF-8. The length of a text follows from the size of its block. */
final class StringCodec implements BlockSerializer<String> {
    private static final char REPLACEMENT = '\uFFFD';

    @Override
    public long sizeBytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.codePointAt(text, i) > Character.MAX_VALUE) {
                bytes += 4;
                i++;
            } else {
                throw new IllegalArgumentException("a text must not have half a surrogate pair: char " + i + " is 0x"
                        + Integer.toHexString(c));
            }
        }
        return bytes;
    }

    @Override
    public void write(String text, MemorySegment block) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(bytes, 0, block, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    @Override
    public String read(MemorySegment block) {
        byte[] bytes = Codecs.BYTES.read(block);
        String text = new String(bytes, StandardCharsets.UTF_8);
        // The decoder replaces malformed bytes by this character, which may also be part of the text.
        if (text.indexOf(REPLACEMENT) >= 0) {
            checkWellFormed(bytes);
        }
        return text;
    }

    private static void checkWellFormed(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException malformed) {
            throw new IllegalArgumentException(
                    "a text must be well-formed UTF-8: " + bytes.length + " bytes, " + malformed.getMessage(),
                    malformed);
        }
    }
}
