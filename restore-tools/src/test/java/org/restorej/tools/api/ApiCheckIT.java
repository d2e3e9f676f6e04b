package org.restorej.tools.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.ScriptRun;
import org.restorej.tools.docs.ProjectFolder;

/** The built libraries, compared with jars that were made to differ. */
class ApiCheckIT {
    private static final String PUBLIC_TYPE = "org/restorej/block/BlockRange";
    private static final String INTERNAL_TYPE = "org/restorej/internal/transfer/Traffic";

    @TempDir
    private Path folder = Path.of("");
    private Path baseline = Path.of("");

    @BeforeEach
    void copyTheBuiltLibraries() throws IOException {
        baseline = Files.createDirectory(folder.resolve("baseline"));
        for (String library : List.of("restore-core", "restore-redset")) {
            Path built = jar(ProjectFolder.root().resolve(library).resolve("target"), library);
            Files.copy(built, baseline.resolve(built.getFileName()));
        }
    }

    private static Path jar(Path target, String library) throws IOException {
        try (var entries = Files.list(target)) {
            return entries
                    .filter(path -> String.valueOf(path.getFileName()).matches(library + "-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst().orElseThrow(() -> new AssertionError("not built: " + library));
        }
    }

    /** As if a type had had one more method when the baseline was built. */
    private void addMethodToBaseline(String type) throws IOException {
        Path sources = ProjectFolder.root().resolve("restore-core/src/main/java");
        String source = Files.readString(sources.resolve(type + ".java"));
        int end = source.lastIndexOf('}');
        Path changed = Files.createDirectories(folder.resolve("changed").resolve(type).getParent())
                .resolve(type.substring(type.lastIndexOf('/') + 1) + ".java");
        Files.writeString(changed, source.substring(0, end) + "    public int removedLater() { return 0; }\n}\n");
        Path classes = folder.resolve("changed");
        Path core = jar(baseline, "restore-core");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-nowarn", "-d",
                classes.toString(), "-cp", core + System.getProperty("path.separator")
                        + System.getProperty("java.class.path"),
                changed.toString()));
        try (FileSystem inside = FileSystems.newFileSystem(core)) {
            Files.copy(classes.resolve(type + ".class"), inside.getPath(type + ".class"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void isContentWithTheSameApi() throws IOException, InterruptedException {
        ScriptRun run = ScriptRun.of("api-check", baseline.toString());
        assertEquals(0, run.exitCode(), run::describe);
    }

    @Test
    void findsAMethodThatIsGone() throws IOException, InterruptedException {
        addMethodToBaseline(PUBLIC_TYPE);
        ScriptRun run = ScriptRun.of("api-check", baseline.toString());
        assertEquals(1, run.exitCode(), run::describe);
        assertEquals("org.restorej.block.BlockRange.removedLater: METHOD_REMOVED", run.everything().strip());
    }

    @Test
    void leavesInternalPackagesAlone() throws IOException, InterruptedException {
        addMethodToBaseline(INTERNAL_TYPE);
        ScriptRun run = ScriptRun.of("api-check", baseline.toString());
        assertEquals(0, run.exitCode(), run::describe);
    }

    @Test
    void saysWhatIsWrongWithACommandLine() throws IOException, InterruptedException {
        ScriptRun run = ScriptRun.of("api-check", "no-such-revision");
        assertEquals(2, run.exitCode(), run::describe);
        assertTrue(run.everything().contains("neither a folder nor a revision of git: no-such-revision"),
                run::describe);
    }
}
