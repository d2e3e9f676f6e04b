package org.restorej.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.CommandHelpContract;
import org.restorej.cli.testing.CommandRun;
import org.restorej.testing.ProcessRun;

/** Help, examples and completion of the commands of this module. */
class CommandHelpTest extends CommandHelpContract {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void needsACommand() {
        CommandRun run = CommandRun.of(new String[0]);
        assertEquals(2, run.exitCode());
        assertEquals(
                "restore: a command is needed after 'restore': one of redset, plan, simulate, doctor, run, stop, bootstrap, completion"
                        + System.lineSeparator(),
                run.errors());
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
        ProcessRun bash = ProcessRun.of(new ProcessBuilder("bash", "-c", ask, script.toString(), line));
        assertEquals(0, bash.exitCode(), bash::describe);
        return bash.output().lines().toList();
    }
}
