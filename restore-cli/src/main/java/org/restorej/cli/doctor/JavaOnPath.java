package org.restorej.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.cli.command.ProcessAnswer;
import org.restorej.cli.command.ShippedScripts;

/**
 * Checks which Java the commands {@code java} and {@code javac} of a shell are. The project's scripts find a JDK 25
 * themselves; commands that a user types don't.
 *
 * @param home the JDK 25 that runs this
 * @param path the folders of the {@code PATH}
 */
record JavaOnPath(Path home, String path) {
    private static final String NAME = "Java 25";
    private static final String VERSION = "25";
    private static final String EVERYTHING = "everything";
    private static final String TYPED = "the commands java and javac of the documentation; what is in bin/ needs none";

    /** For the environment of this process. */
    static JavaOnPath ofProcess() {
        return new JavaOnPath(Path.of(System.getProperty("java.home")), System.getenv().getOrDefault("PATH", ""));
    }

    /** Whether both are of version 25; otherwise with the variables to export. */
    Finding finding() {
        String found = Runtime.version() + ", " + home;
        List<String> others = Stream.of("java", "javac").flatMap(program -> other(program).stream()).toList();
        return others.isEmpty()
                ? Finding.ok(NAME, found, EVERYTHING)
                : Finding.limited(NAME, found + "; but " + String.join(", and ", others), TYPED, "export JAVA_HOME="
                        + ShippedScripts.quoted(home.toString()) + " && export PATH=\"$JAVA_HOME/bin:$PATH\"");
    }

    /** A description of a program that is missing or not of version 25; otherwise empty. */
    private Optional<String> other(String program) {
        Optional<Path> file = Stream.of(path.split(File.pathSeparator)).flatMap(JavaOnPath::folder)
                .map(folder -> folder.resolve(program)).filter(Files::isExecutable).findFirst();
        if (file.isEmpty()) {
            return Optional.of("there is no " + program + " on the PATH");
        }
        Optional<String> version = version(file.get());
        if (version.filter(text -> text.matches(VERSION + "\\b.*")).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(program + " on the PATH is " + file.get() + version.map(text -> ", version " + text)
                .orElse(""));
    }

    private static Stream<Path> folder(String name) {
        try {
            return name.isEmpty() ? Stream.empty() : Stream.of(Path.of(name));
        } catch (InvalidPathException unusable) {
            return Stream.empty();
        }
    }

    /** The version in the JDK's file {@code release}, which is read without starting the JDK. */
    private static Optional<String> version(Path program) {
        try {
            Path release = program.toRealPath().resolveSibling("../release");
            return ProcessAnswer.parsed(Files.readString(release)).value("JAVA_VERSION")
                    .map(version -> version.replace("\"", ""));
        } catch (IOException untold) {
            return Optional.empty();
        }
    }
}
