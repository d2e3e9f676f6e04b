package org.restorej.cli.command;

/**
 * Something the user gave is wrong: an option, a file, a line of it. The message is complete, says where, and is all
 * that a command shows before it exits with 2.
 */
public final class InvalidInputException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** An error of the input as a whole. */
    public InvalidInputException(String message) {
        super(message);
    }

    /** An error of the input as a whole, with what led to it. */
    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }

    /** An error in a line, written as compilers do: {@code source:line: message}. Lines count from 1. */
    public static InvalidInputException at(String source, int line, String message) {
        return new InvalidInputException(source + ":" + line + ": " + message);
    }

    /** An error at a character, written {@code source:line:column: message}. Lines and columns count from 1. */
    public static InvalidInputException at(String source, int line, int column, String message) {
        return new InvalidInputException(source + ":" + line + ":" + column + ": " + message);
    }
}
