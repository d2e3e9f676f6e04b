package org.restorej.cli.command;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * A file that an option names could not be written, although it had seemed so. What was computed is right all the same.
 */
public final class UnwritableFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * With what led to it.
     *
     * @param option its name
     * @param file what it names
     */
    public UnwritableFileException(String option, Path file, IOException cause) {
        super(option + " can't be written: " + file + " (" + reason(cause) + ")", cause);
    }

    /** Messages of a file system's exceptions are mostly the name alone. */
    private static String reason(IOException cause) {
        return cause instanceof FileSystemException failure && failure.getReason() != null
                ? failure.getReason()
                : cause.getClass() == IOException.class
                        ? String.valueOf(cause.getMessage())
                        : cause.getClass().getSimpleName();
    }
}
