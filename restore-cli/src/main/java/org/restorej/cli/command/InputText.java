package org.restorej.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A text that is to be parsed, and what to call it in messages.
 *
 * @param source a file name, mostly
 * @param content all of it
 */
public record InputText(String source, String content) {
    /**
     * Reads a file in UTF-8.
     *
     * @param role what the file is to the user, as "alignment"
     * @throws InvalidInputException when it is missing, no text, or can't be read
     */
    public static InputText read(String role, Path file) {
        try {
            return new InputText(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
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

    /**
     * Reads a text that is shipped with the program.
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
