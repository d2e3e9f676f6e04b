package org.restorej.tools.site;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The Javadoc of the libraries, as one: of what programs may rely on. */
final class ApiPages {
    private static final List<String> LIBRARIES = List.of("restore-core", "restore-redset");
    /** Searched for types that the libraries use; gets no pages. */
    private static final String SIGNATURES = "restore-mpi-api";
    private static final Pattern INTERNAL = Pattern.compile(".*[.](internal|cli|training)([.].*)?");

    private ApiPages() {}

    /**
     * Writes them.
     *
     * @param classPath what the libraries are compiled with
     * @return the exit code of javadoc: 0 when it had nothing to complain of
     */
    static int write(Path projectRoot, Path folder, String classPath, PrintStream errors) throws IOException {
        Path links = Files.createTempDirectory("restorej-sources");
        try {
            List<String> sourcePath = new ArrayList<>();
            for (String library : LIBRARIES) {
                sourcePath.add(withoutModule(projectRoot.resolve(library), "org", links).toString());
            }
            sourcePath.add(withoutModule(projectRoot.resolve(SIGNATURES), "mpi", links).toString());
            Files.createDirectories(folder);
            ToolProvider javadoc = ToolProvider.findFirst("javadoc")
                    .orElseThrow(() -> new IllegalStateException("this Java has no javadoc: a JDK is needed"));
            List<String> arguments = new ArrayList<>(List.of("-quiet", "-Xdoclint:all,-missing", "-Werror",
                    "-notimestamp",
                    "-windowtitle", "ReStore for Java", "-doctitle", "ReStore for Java", "-d", folder.toString(),
                    "--release", "25", "--class-path", classPath,
                    "--source-path", String.join(System.getProperty("path.separator"), sourcePath)));
            for (String library : LIBRARIES) {
                arguments.addAll(promisedPackages(projectRoot.resolve(library).resolve("src/main/java")));
            }
            return javadoc.run(errors, errors, arguments.toArray(String[]::new));
        } finally {
            remove(links);
        }
    }

    private static List<String> promisedPackages(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> sources.relativize(Objects.requireNonNull(file.getParent())).toString().replace('/',
                            '.'))
                    .filter(name -> !INTERNAL.matcher(name).matches()).sorted().toList();
        }
    }

    /**
     * A source folder without its module-info: as modules the libraries would need all that they require as modules,
     * and it lies in one jar.
     */
    private static Path withoutModule(Path project, String topPackage, Path links) throws IOException {
        Path sources = Files.createDirectory(links.resolve(project.getFileName()));
        Files.createSymbolicLink(sources.resolve(topPackage), project.resolve("src/main/java").resolve(topPackage));
        return sources;
    }

    private static void remove(Path links) throws IOException {
        try (Stream<Path> paths = Files.walk(links)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
