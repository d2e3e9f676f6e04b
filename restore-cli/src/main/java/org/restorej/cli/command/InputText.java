package org.restorej.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A text to be parsed, with its name for messages.
 *
 * @param source usually a file name
 * @param content all of it, without a byte order mark
 */
public record InputText(String source, String content) {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /** Drops a byte order mark. */
    public InputText {
        content = content.startsWith(BYTE_ORDER_MARK) ? content.substring(BYTE_ORDER_MARK.length()) : content;
    }

    /**
     * Reads a file as UTF-8 or, if it isn't valid UTF-8, as ISO 8859-1.
     *
     * @param role meaning of the file to the user, such as "alignment"
     * @throws InvalidInputException when the file is missing, not a text, or can't be read
     */
    public static InputText read(String role, Path file) {
        try {
            return new InputText(file.toString(), decoded(Files.readAllBytes(file)));
        } catch (NoSuchFileException missing) {
            throw new InvalidInputException(role + " not found: " + file, missing);
        } catch (CharacterCodingException binary) {
            throw new InvalidInputException(role + " is not a text file: " + file, binary);
        } catch (IOException unreadable) {
            if (Files.isDirectory(file)) {
                throw new InvalidInputException(role + " is a directory, not a file: " + file, unreadable);
            }
            throw new InvalidInputException(role + " can't be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** ISO 8859-1 is accepted for files with letters such as umlauts, but not if they have control characters. */
    private static String decoded(byte[] bytes) throws CharacterCodingException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notUtf8) {
            for (byte each : bytes) {
                if (each >= 0 && each < ' ' && !Character.isWhitespace(each)) {
                    throw notUtf8;
                }
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /**
     * Reads a text that is part of the program.
     *
     * @param beside a class in the resource's package
     * @param name of the resource
     */
    public static InputText resource(Class<?> beside, String name) {
        try (InputStream stream = beside.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("no resource: name=" + name);
            }
            return new InputText(name, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
