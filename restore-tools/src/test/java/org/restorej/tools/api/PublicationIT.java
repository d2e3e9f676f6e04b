package org.restorej.tools.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** What build/release makes of the last commit has what Maven Central asks for, signatures aside, and one Javadoc. */
@Deep
class PublicationIT {
    private static final String VERSION = "0.0.1";
    private static final List<String> OF_JARS = List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void hasWhatCentralAsksFor() throws IOException, InterruptedException {
        Path release = folder.resolve("release");
        ProcessRun run = ProcessRun.script(ProjectFolder.root().resolve("build/release").toString(), VERSION,
                release.toString(), "-Dspotless.check.skip");
        assertEquals(0, run.exitCode(), run::describe);
        checkJavadoc(release.resolve("javadoc"));
        Path repository = release.resolve("repository");
        Path group = repository.resolve("org/restorej");
        try (Stream<Path> published = Files.list(group)) {
            Set<String> names = published.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
            assertEquals(Set.of("restore-parent", "restore-bom", "restore-comm", "restore-testing", "restore-core",
                    "restore-redset", "restore-cli"), names);
            String parent = text(group, "restore-parent");
            for (String name : names) {
                check(group, name, parent);
            }
        }
        checkLegalTexts(file(group, "restore-cli", "-all.jar"));
    }

    /** Types of one library link to those of another; what isn't exported isn't there. */
    private static void checkJavadoc(Path javadoc) throws IOException {
        assertTrue(Files.readString(javadoc.resolve("org/restorej/ReStore.html"))
                .contains("href=\"comm/Communicator.html\""), "ReStore links to Communicator");
        assertTrue(Files.readString(javadoc.resolve("index.html")).contains("org/restorej/loop/CheckpointLoop.html"),
                "the overview links to CheckpointLoop");
        assertFalse(Files.exists(javadoc.resolve("org/restorej/internal")), "no internal package");
    }

    /** The jar that needs no checkout has those of the libraries in it. */
    private static void checkLegalTexts(Path jar) throws IOException {
        checkLicence(jar);
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            String notice = Files.readString(inside.getPath("META-INF/NOTICE"));
            for (String library : List.of("Jackson", "Batik")) {
                assertTrue(notice.contains(library), () -> library + " is not in " + notice);
            }
            assertEquals(Files.readString(ProjectFolder.root().resolve("build/licenses/jfreechart.txt")),
                    Files.readString(inside.getPath("META-INF/licenses/jfreechart.txt")));
        }
    }

    private static void checkLicence(Path jar) throws IOException {
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            assertEquals(Files.readString(ProjectFolder.root().resolve("LICENSE")),
                    Files.readString(inside.getPath("META-INF/LICENSE")), jar::toString);
        }
    }

    private static void check(Path group, String name, String parent) throws IOException {
        String pom = text(group, name);
        // What is inherited stands in the parent's.
        String effective = pom.contains("<parent>") ? pom + parent : pom;
        for (String element : List.of("licenses", "developers", "scm", "connection")) {
            assertTrue(effective.contains("<" + element), () -> name + " has no " + element);
        }
        // Those of licenses and scm are further inside.
        assertTrue(effective.contains("\n  <url>https://"), () -> name + " has no url");
        for (String element : List.of("name", "description")) {
            assertTrue(pom.contains("\n  <" + element + ">"), () -> name + " has no " + element);
        }
        boolean isJar = !pom.contains("<packaging>pom</packaging>");
        for (String ending : isJar ? OF_JARS : List.of(".pom")) {
            Path file = file(group, name, ending);
            if (ending.equals(".jar") || ending.equals("-sources.jar")) {
                checkLicence(file);
            }
            for (String checksum : List.of("", ".md5", ".sha1")) {
                assertTrue(Files.exists(Path.of(file + checksum)), () -> file + checksum + " is missing");
            }
        }
    }

    private static Path file(Path group, String name, String ending) {
        return group.resolve(name).resolve(VERSION).resolve(name + "-" + VERSION + ending);
    }

    private static String text(Path group, String name) {
        try {
            return Files.readString(file(group, name, ".pom"));
        } catch (IOException missing) {
            throw new AssertionError("no pom of " + name, missing);
        }
    }
}
