package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Help, examples and completion of every command. */
class CommandHelpTest {
    @TempDir
    private Path folder = Path.of("");

    private static CommandLine root() {
        return RestoreCommand.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(Stream.of(command),
                command.getSubcommands().values().stream().flatMap(CommandHelpTest::withSubcommands));
    }

    private static Stream<String> commands() {
        return withSubcommands(root()).map(command -> command.getCommandSpec().qualifiedName());
    }

    private static CommandLine command(String qualifiedName) {
        return withSubcommands(root()).filter(command -> command.getCommandSpec().qualifiedName().equals(qualifiedName))
                .findFirst().orElseThrow();
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
            CommandLine.ParseResult parsed = root().parseArgs(RestoreCommand.withDefaultDemo(words));
            parsed.asCommandLineList()
                    .forEach(part -> assertEquals(List.of(), part.getParseResult().errors(), example));
        }
    }

    @Test
    void completionIsAScriptThatCompletesCommandsAndOptions() throws IOException, InterruptedException {
        CommandRun run = CommandRun.of("completion");
        assertEquals(0, run.exitCode(), run.errors());
        Path script = Files.writeString(folder.resolve("completion"), run.output());
        assertEquals(List.of("plan"), completions(script, "restore pla"));
        assertEquals(List.of("--bytes-per-pe"), completions(script, "restore plan --by"));
        assertEquals(List.of("verify"), completions(script, "restore redset veri"));
    }

    /** What bash offers for the last word of a line. */
    private static List<String> completions(Path script, String line) throws IOException, InterruptedException {
        String ask = "source \"$0\"; complete -p restore > /dev/null || exit 1; read -r -a COMP_WORDS <<< \"$1\"; "
                + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$1; COMP_POINT=${#1}; _complete_restore; "
                + "printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "-c", ask, script.toString(), line)
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        bash.getOutputStream().close();
        try (var output = bash.inputReader()) {
            List<String> lines = output.lines().toList();
            assertTrue(bash.waitFor(1, TimeUnit.MINUTES));
            assertEquals(0, bash.exitValue());
            return lines;
        }
    }

    @Test
    void demosWriteJsonEitherWay() throws IOException {
        String options = "demo phylo --pes 2 --iterations 1 --fail-random 0 ";
        assertEquals(CommandRun.of(options + "--output json").json().get("logLikelihood"),
                CommandRun.of(options + "--json").json().get("logLikelihood"));
        assertNotNull(CommandRun.of("demo kmeans --pes 2 --points 100 --clusters 2 --iterations 1 --json").json()
                .get("inertia"));
    }
}
