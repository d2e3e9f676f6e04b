package org.restorej.tools.site;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** The Javadoc of the libraries, as one. */
final class ApiPages {
    private static final List<String> LIBRARIES = List.of("restore-core", "restore-redset");
    /** Searched for types that the libraries use; gets no pages. */
    private static final String SIGNATURES = "restore-mpi-api";
    private static final String SOURCES = "src/main/java";

    private ApiPages() {}

    /**
     * Writes them.
     *
     * @param classPath what the libraries are compiled with
     * @return the exit code of javadoc: 0 when it had nothing to complain of
     */
    static int write(Path projectRoot, Path folder, String classPath, PrintStream errors) throws IOException {
        List<String> sourcePath = new ArrayList<>();
        for (String library : LIBRARIES) {
            sourcePath.add(projectRoot.resolve(library).resolve(SOURCES).toString());
        }
        sourcePath.add(projectRoot.resolve(SIGNATURES).resolve(SOURCES).toString());
        Files.createDirectories(folder);
        ToolProvider javadoc = ToolProvider.findFirst("javadoc")
                .orElseThrow(() -> new IllegalStateException("this Java has no javadoc: a JDK is needed"));
        return javadoc.run(errors, errors, "-quiet", "-Xdoclint:all,-missing", "-Werror", "-notimestamp",
                "-windowtitle", "ReStore for Java", "-doctitle", "ReStore for Java", "-d", folder.toString(),
                "--release", "25", "--add-modules", "jdk.incubator.vector", "--class-path", classPath, "--source-path",
                String.join(System.getProperty("path.separator"),
                        sourcePath),
                "-subpackages", "org.restorej");
    }
}
