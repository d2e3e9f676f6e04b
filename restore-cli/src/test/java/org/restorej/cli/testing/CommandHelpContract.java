package org.restorej.cli.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.cli.RestoreCommand;
import picocli.CommandLine;

/** Help and examples of all commands on the class path, each of which tells its exit codes. */
public abstract class CommandHelpContract {
    private static CommandLine root() {
        return RestoreCommand.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(Stream.of(command),
                command.getSubcommands().values().stream().flatMap(CommandHelpContract::withSubcommands));
    }

    private static Stream<String> commands() {
        return withSubcommands(root()).map(command -> command.getCommandSpec().qualifiedName());
    }

    private static CommandLine command(String qualifiedName) {
        return withSubcommands(root()).filter(command -> command.getCommandSpec().qualifiedName().equals(qualifiedName))
                .findFirst().orElseThrow();
    }

    /** picocli only warns of a text that isn't a format, on standard error, and prints it as it is. */
    @ParameterizedTest
    @MethodSource("commands")
    void helpHasNoPercentSignThatIsTakenForAFormat(String qualifiedName) {
        PrintStream before = System.err;
        ByteArrayOutputStream warnings = new ByteArrayOutputStream();
        System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
        try {
            command(qualifiedName).getUsageMessage();
        } finally {
            System.setErr(before);
        }
        assertEquals("", warnings.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpTellsExitCodesAndHasExamplesThatAreUnderstood(String qualifiedName) {
        CommandLine command = command(qualifiedName);
        String help = command.getUsageMessage();
        assertTrue(help.contains("Exit codes:\n"), help);
        assertTrue(help.matches("(?s).*\n {2}0 +\\S.*\n {2}2 +\\S.*"), help);
        List<String> examples = Arrays.stream(command.getCommandSpec().usageMessage().footer())
                .filter(line -> line.startsWith("  restore ")).toList();
        assertFalse(examples.isEmpty(), help);
        for (String example : examples) {
            assertTrue(example.strip().startsWith(qualifiedName), example);
            String[] words = example.strip().replaceFirst(" >.*", "").substring("restore ".length()).split(" ");
            CommandLine.ParseResult parsed = root().parseArgs(RestoreCommand.completed(root(), words));
            parsed.asCommandLineList()
                    .forEach(part -> assertEquals(List.of(), part.getParseResult().errors(), example));
        }
    }
}
