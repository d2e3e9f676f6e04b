package org.restorej.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.testing.CommandRun;
import org.restorej.cli.testing.HostileCommandLines;
import picocli.CommandLine.ParseResult;

class HostileCommandLineTest extends HostileCommandLines {
    @ParameterizedTest
    @ValueSource(strings = {"plan --bytes-per-pe 1MiB --pes",
            "plan --pes 8 --bytes-per-pe 1MiB --mtbf-node 1y --hours",
            "simulate --pes 8 --replication",
            "simulate --pes 8 --replication 2 --trials"})
    void numbersHaveTheDigits0To9(String beginning) {
        assertWantsANumber(beginning);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan --pes 8 --bytes-per-pe 1MiB --plot",
            "redset info",
            "redset info EMPTY --base",
            "redset verify EMPTY --allow"})
    void pathsHaveACharacterAndNoNul(String beginning) {
        assertWantsAPath(beginning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"redset info EMPTY/nothere | DIR must be a directory",
            "redset verify FILE | DIR must be a directory",
            "redset info | 'DIR'",
            "redset | a command is needed after 'restore redset': one of "})
    void refusesWhatCantBeMeantInOneLine(String line, String message) {
        assertRefusedFor(line, message);
    }

    @Test
    void redsetSaysEveryMistakeAtOnceAndNoUsage() {
        assertRefused("redset rebuild EMPTY/nothere more --nonsense --base FILE", "'--nonsense'",
                "DIR must be a directory: " + empty + "/nothere", "DIR must be a directory: more",
                "--base must be a directory: " + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "bootstrap"})
    void wordsForAScriptAreNoFilesOfWords(String command) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        List<String> words = List.of("-n", "2", "Main", "@" + file, "@@" + file, "@none");
        List<String> passed = new ArrayList<>(List.of(command));
        passed.addAll(words);
        ParseResult parsed = RestoreCommand.commandLine(nowhere, nowhere).parseArgs(passed.toArray(String[]::new));
        assertEquals(words, parsed.subcommand().matchedPositionals().stream()
                .flatMap(positional -> positional.originalStringValues().stream()).distinct().toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "list", "verify", "rebuild"})
    void saysOnStandardErrorThatThereIsNoSet(String command) throws IOException {
        assertRefused("redset " + command + " EMPTY", "no redundancy set was found: " + empty);
        CommandRun json = run("redset " + command + " --json EMPTY");
        assertEquals(2, json.exitCode());
        assertEquals(2, new ObjectMapper().readTree(json.output()).get("exitCode").asInt());
    }
}
