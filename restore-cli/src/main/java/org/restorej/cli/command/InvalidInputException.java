package org.restorej.cli.command;

/**
 * The user's input is invalid: an option, a file, or a line of it. The message is complete and has the place; a command
 * shows only the message before it exits with 2.
 */
public final class InvalidInputException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** An error of the input as a whole. */
    public InvalidInputException(String message) {
        super(message);
    }

    /** An error of the input as a whole, with its cause. */
    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }

    /** An error in a line, in the format of compilers: {@code source:line: message}. Lines count from 1. */
    public static InvalidInputException at(String source, int line, String message) {
        return new InvalidInputException(source + ":" + line + ": " + message);
    }

    /** An error at a character: {@code source:line:column: message}. Lines and columns count from 1. */
    public static InvalidInputException at(String source, int line, int column, String message) {
        return new InvalidInputException(source + ":" + line + ":" + column + ": " + message);
    }
}
