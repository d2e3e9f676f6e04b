package org.restorej.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProcessRun;

class ShippedScriptsTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void whatIsMissingOrCutOffIsUnpackedAgain() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("classes/org/restorej/cli/scripts/bin"));
        for (String name : new String[]{"one", "two", "three"}) {
            Files.writeString(bin.resolve(name), "script " + name);
        }
        Path root = ShippedScripts.unpacked(folder.resolve("classes"), folder.resolve("cache"));
        Files.delete(root.resolve("bin/one"));
        Files.writeString(root.resolve("bin/two"), "scr");
        assertEquals(root, ShippedScripts.unpacked(folder.resolve("classes"), folder.resolve("cache")));
        for (String name : new String[]{"one", "two", "three"}) {
            Path script = root.resolve("bin").resolve(name);
            assertEquals("script " + name, Files.readString(script));
            assertTrue(Files.isExecutable(script), name);
        }
    }

    @Test
    void aPathIsOneWordOfAShell() throws IOException, InterruptedException {
        assertEquals("/lib/restore-cli-0.1.0-all.jar", ShippedScripts.quoted("/lib/restore-cli-0.1.0-all.jar"));
        String odd = "/my jars/it's $HOME.jar";
        ProcessRun shell = ProcessRun.of(new ProcessBuilder("sh", "-c", "printf %s " + ShippedScripts.quoted(odd)));
        assertEquals(odd, shell.output());
        assertEquals(0, shell.exitCode(), shell::describe);
    }
}
