package org.restorej.tools.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** The built library, compared with releases that were made to differ from it, by the profile api-check. */
@Deep
class ApiCheckIT {
    private static final String LIBRARY = "restore-core";
    private static final String RELEASE = "0.0.1";
    private static final String GOAL = "com.github.siom79.japicmp:japicmp-maven-plugin:cmp@api-check";
    private static final String PUBLIC_TYPE = "org/restorej/block/BlockRange";
    private static final String INTERNAL_TYPE = "org/restorej/internal/transfer/TransferLimits";

    @TempDir
    private Path folder = Path.of("");
    private Path release = Path.of("");

    /** Into a repository of its own, in front of the machine's, with what the library itself needs there. */
    @BeforeEach
    void releaseTheBuiltLibrary() throws IOException {
        install("restore-mpi-api", current());
        install("restore-comm", current());
        install(LIBRARY, current());
        release = install(LIBRARY, RELEASE);
    }

    private Path install(String library, String version) throws IOException {
        Path place = Files.createDirectories(
                folder.resolve("repository/org/restorej").resolve(library).resolve(version));
        Files.writeString(place.resolve(library + "-" + version + ".pom"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>org.restorej</groupId>
                  <artifactId>%s</artifactId>
                  <version>%s</version>
                </project>
                """.formatted(library, version));
        Path built = ProjectFolder.root().resolve(library).resolve("target")
                .resolve(library + "-" + current() + ".jar");
        return Files.copy(built, place.resolve(library + "-" + version + ".jar"));
    }

    private static String current() throws IOException {
        Matcher matcher = Pattern.compile("<artifactId>restore-parent</artifactId>\\s*<version>(.+?)</version>")
                .matcher(Files.readString(ProjectFolder.root().resolve("pom.xml")));
        assertTrue(matcher.find(), "the parent's pom has a version");
        return matcher.group(1);
    }

    private ProcessRun check() throws IOException, InterruptedException {
        String machine = System.getProperty("maven.repo.local",
                Path.of(System.getProperty("user.home"), ".m2", "repository").toString());
        return ProcessRun.script("../mvnw", "-B", "-ntp", "-f", ProjectFolder.root().toString(), "-Papi-check", "-pl",
                LIBRARY,
                "-Dapi.baseline=" + RELEASE, "-Dmaven.repo.local=" + folder.resolve("repository"),
                "-Dmaven.repo.local.tail=" + machine, GOAL);
    }

    /** As if a type had had one more method when the release was built. */
    private void addMethodToTheRelease(String type) throws IOException {
        Path sources = ProjectFolder.root().resolve(LIBRARY).resolve("src/main/java");
        String source = Files.readString(sources.resolve(type + ".java"));
        int end = source.lastIndexOf('}');
        Path changed = Files.createDirectories(folder.resolve("changed").resolve(type).getParent())
                .resolve(type.substring(type.lastIndexOf('/') + 1) + ".java");
        Files.writeString(changed, source.substring(0, end) + "    public int removedLater() { return 0; }\n}\n");
        Path classes = folder.resolve("changed");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-nowarn", "-d",
                classes.toString(), "-cp", release + System.getProperty("path.separator")
                        + System.getProperty("java.class.path"),
                changed.toString()));
        try (FileSystem inside = FileSystems.newFileSystem(release)) {
            Files.copy(classes.resolve(type + ".class"), inside.getPath(type + ".class"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void isContentWithTheSameApiAndWithOtherInternals() throws IOException, InterruptedException {
        addMethodToTheRelease(INTERNAL_TYPE);
        ProcessRun run = check();
        assertEquals(0, run.exitCode(), run::describe);
    }

    @Test
    void failsWhereAMethodIsGone() throws IOException, InterruptedException {
        addMethodToTheRelease(PUBLIC_TYPE);
        ProcessRun run = check();
        assertEquals(1, run.exitCode(), run::describe);
        assertTrue(run.everything().contains("org.restorej.block.BlockRange.removedLater():METHOD_REMOVED"),
                run::describe);
    }

    @Test
    void failsWithoutTheRelease() throws IOException, InterruptedException {
        Files.delete(release);
        ProcessRun run = check();
        assertEquals(1, run.exitCode(), run::describe);
    }
}
