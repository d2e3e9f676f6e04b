package org.restorej.cli.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.restorej.cli.RestoreCommand;

/**
 * How a command in this JVM ended.
 *
 * @param exitCode its exit code
 * @param output standard output
 * @param errors standard error
 */
public record CommandRun(int exitCode, String output, String errors) {
    /** Runs a command, written as on a command line without quotes. */
    public static CommandRun of(String words) {
        return of(words.split(" "));
    }

    /** Runs a command. */
    public static CommandRun of(String... arguments) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        int exitCode = RestoreCommand.run(new PrintWriter(output, true), new PrintWriter(errors, true), arguments);
        return new CommandRun(exitCode, output.toString(), errors.toString());
    }

    /** The one JSON object on standard output of a command that ended well. */
    public JsonNode json() throws IOException {
        assertEquals(0, exitCode, errors);
        return anyJson();
    }

    /** The one JSON object on standard output. */
    public JsonNode anyJson() throws IOException {
        return new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readTree(output);
    }
}
