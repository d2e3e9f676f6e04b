package org.restorej.cli.command;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * A file that an option names could not be written, although it was checked before. The computed result is still
 * correct.
 */
public final class UnwritableFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param option its name
     * @param file value of the option
     */
    public UnwritableFileException(String option, Path file, IOException cause) {
        super(option + " can't be written: " + file + " (" + reason(cause) + ")", cause);
    }

    /** The reason; the message of a file system's exception is usually only the file name. */
    private static String reason(IOException cause) {
        return cause instanceof FileSystemException failure && failure.getReason() != null
                ? failure.getReason()
                : cause.getClass() == IOException.class
                        ? String.valueOf(cause.getMessage())
                        : cause.getClass().getSimpleName();
    }
}
