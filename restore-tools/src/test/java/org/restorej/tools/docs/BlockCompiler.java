package org.restorej.tools.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.restorej.testing.ProjectFolder;

/** Compiles blocks of the documentation, against everything that the tests see. */
final class BlockCompiler {
    private BlockCompiler() {}

    /**
     * Compiles blocks, all at once.
     *
     * @param classes a folder for the class files
     * @return a line for each mistake, with its place in the document
     */
    static List<String> mistakes(List<JavaBlock> blocks, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT,
                StandardCharsets.UTF_8)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            compiler.getTask(null, files, diagnostics, List.of("-proc:none", "-Xlint:none"), null, blocks).call();
        }
        List<String> mistakes = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                String file = diagnostic.getSource() instanceof JavaBlock block
                        ? ProjectFolder.root().relativize(block.block().file()).toString()
                        : "?";
                mistakes.add(file + ":" + diagnostic.getLineNumber() + ": " + diagnostic.getMessage(Locale.ROOT));
            }
        }
        return mistakes;
    }
}
