package org.restorej.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** Scripts where a Java that is too old is first on the PATH, and in JAVA_HOME. */
@Deep
class OtherJavaScriptIT {
    private static final Path JDK = Path.of(System.getProperty("java.home"));

    @TempDir
    private Path folder = Path.of("");

    private Map<String, String> environment = Map.of();

    /** Says that it is 11, and fails, whatever it is called for. */
    @BeforeEach
    void makeJava11() throws IOException {
        Path home = folder.resolve("java-11");
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        for (String program : List.of("java", "javac", "jar")) {
            ProcessRun.writeScript(home.resolve("bin").resolve(program),
                    "#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\nexit 1\n");
        }
        environment = Map.of("PATH", home.resolve("bin") + ":" + System.getenv("PATH"), "JAVA_HOME", home.toString(),
                "RESTOREJ_JAVA_HOME", JDK.toString(), "MAVEN_ARGS", "-o");
    }

    private ProcessRun bash(Path directory, String commands) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands)
                .directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return ProcessRun.of(builder);
    }

    /** A checkout in which nothing is built yet, as far as the smallest module needs it. */
    private Path checkout() throws IOException {
        Path copy = Files.createDirectory(folder.resolve("checkout"));
        try (Stream<Path> modules = Files.list(ProjectFolder.root())) {
            List<String> poms = modules.map(module -> module.resolve("pom.xml")).filter(Files::exists)
                    .map(pom -> ProjectFolder.root().relativize(pom).toString()).toList();
            for (String pom : poms) {
                copy(pom, copy);
            }
        }
        for (String part : List.of("pom.xml", "bin", "build", ".mvn", "mvnw", "restore-mpi-api/src")) {
            copy(part, copy);
        }
        return copy;
    }

    private static void copy(String part, Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(ProjectFolder.root().resolve(part))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = copy.resolve(ProjectFolder.root().relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    void mavenRunsOnTheJdkThatTheScriptsHaveFound() throws IOException, InterruptedException {
        ProcessRun run = bash(checkout(), ". bin/lib/tools.sh; . bin/lib/jar.sh; build_quickly restore-mpi-api; "
                + "echo \"now $JAVA_HOME\"");
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().endsWith("now " + environment.get("JAVA_HOME") + "\n"), run::describe);
        try (Stream<Path> jars = Files.list(folder.resolve("checkout/restore-mpi-api/target"))) {
            assertTrue(jars.anyMatch(file -> file.toString().endsWith(".jar")), run::describe);
        }
    }

    @Test
    void whatDoctorPrintsMakesJavaAndJavacThoseOfTheJdk() throws IOException, InterruptedException {
        ProcessRun doctor = ProcessRun.script(environment, "restore", "doctor");
        assertEquals(0, doctor.exitCode(), doctor::describe);
        Matcher line = Pattern.compile("(?m)^ +fix: (export JAVA_HOME=.*)$").matcher(doctor.output());
        assertTrue(line.find(), doctor::describe);
        assertTrue(doctor.output().contains("java on the PATH is " + folder.resolve("java-11/bin/java")
                + ", version 11.0.2"), doctor::describe);
        ProcessRun run = bash(folder, line.group(1) + "; java -version; javac -version");
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().contains("\njavac " + Runtime.version().feature()), run::describe);
    }
}
