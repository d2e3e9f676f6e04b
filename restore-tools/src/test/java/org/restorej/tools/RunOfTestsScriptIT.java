package org.restorej.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** What bin/test starts: a copy of it, in a folder where what it starts only writes down that it was. */
class RunOfTestsScriptIT {
    private static final Pattern SEED = Pattern.compile(" -Drestorej\\.seed=([0-9]+)");

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void copyTheScript() throws IOException {
        Files.createDirectories(folder.resolve("bin/lib"));
        Files.createDirectories(folder.resolve("tests/lib"));
        for (String script : List.of("bin/test", "tests/lib/test", "bin/lib/tools.sh", "tests/lib/test-summary")) {
            Files.copy(ProjectFolder.root().resolve(script), folder.resolve(script));
        }
        for (Path script : List.of(folder.resolve("mvnw"), folder.resolve("bin/bootstrap"),
                folder.resolve("tests/nodes"), folder.resolve("tests/lib/test-consumer"),
                folder.resolve("shellcheck"))) {
            Files.writeString(script, "#!/bin/sh\necho \"${0##*/} $*\" >> " + folder.resolve("started") + "\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private ProcessRun run(String... arguments) throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve("started"));
        return ProcessRun.script(Map.of("PATH", folder + ":" + System.getenv("PATH")),
                folder.resolve("bin/test").toString(), arguments);
    }

    /** The first words of what was started but for what makes MPIs available. */
    private List<String> started(String... arguments) throws IOException, InterruptedException {
        ProcessRun run = run(arguments);
        assertEquals(0, run.exitCode(), run::describe);
        return Files.readAllLines(folder.resolve("started")).stream()
                .filter(line -> !line.startsWith("bootstrap ") && !line.startsWith("nodes ")).toList();
    }

    private static String mavenOf(List<String> started) {
        return started.stream().filter(line -> line.startsWith("mvnw ") && line.contains(" verify ")).findFirst()
                .orElseThrow();
    }

    @Test
    void everyDayTheSameIsRun() throws IOException, InterruptedException {
        List<String> started = started();
        assertEquals(started, started());
        String maven = mavenOf(started);
        assertTrue(maven.contains(" -Perror-prone ")
                && maven.contains(" -Drestorej.require.ulfm=true"), maven);
        assertFalse(Stream.of("deep", "part", "seed").anyMatch(word -> maven.contains("-Drestorej." + word)), maven);
        assertEquals(List.of("mvnw", "shellcheck", "test-consumer"),
                started.stream().map(line -> line.replaceFirst(" .*", "")).sorted().toList());
    }

    @Test
    void thePartsOfADeepRunTogetherDoAllThatIsDoneInOne() throws IOException, InterruptedException {
        runInParts(2);
        runInParts(4);
    }

    private void runInParts(int parts) throws IOException, InterruptedException {
        List<String> whole = started("--deep").stream().map(RunOfTestsScriptIT::withoutItsPart).sorted().toList();
        List<String> together = new ArrayList<>();
        for (int part = 1; part <= parts; part++) {
            List<String> started = started("--deep=" + part + "/" + parts);
            String maven = mavenOf(started);
            assertTrue(maven.contains(" -Drestorej.deep=true -Drestorej.part=" + part + "/" + parts + " "), maven);
            // Classes of tests are shared out by Maven's property; what else there is, here.
            boolean isFirst = part == 1;
            started.stream().filter(line -> isFirst || !line.equals(maven)).map(RunOfTestsScriptIT::withoutItsPart)
                    .forEach(together::add);
        }
        assertEquals(whole, together.stream().sorted().toList());
        assertTrue(whole.contains("test-consumer --deep"), whole::toString);
    }

    private static String withoutItsPart(String line) {
        return SEED.matcher(line).replaceFirst("").replaceFirst("-Drestorej\\.part=[0-9/]+ ", "");
    }
}
