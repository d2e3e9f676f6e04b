package org.restorej.tools.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStore;
import org.restorej.comm.Communicator;
import org.restorej.redset.Redset;

/** A program that is a module gets of the libraries what is promised. */
class ModulesTest {
    private static final JavaFileObject MODULE = source("module-info",
            "module consumer { requires org.restorej.redset; }");

    @TempDir
    private Path classes = Path.of("");

    @Test
    void exportWhatIsPromised() throws IOException {
        assertEquals("", mistakes(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.restorej.internal.memory", "org.restorej.internal.mpi",
            "org.restorej.internal.operation",
            "org.restorej.internal.placement", "org.restorej.redset.internal.offline", "org.restorej.internal.erasure",
            "org.restorej.redset.internal.format", "org.restorej.redset.training"})
    void keepTheRest(String internal) throws IOException {
        assertEquals("compiler.err.package.not.visible", mistakes("import " + internal + ".*;"));
    }

    /** Of the program with that import, which the compiler finds. */
    private String mistakes(String anotherImport) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT,
                StandardCharsets.UTF_8)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of());
            files.setLocationFromPaths(StandardLocation.MODULE_PATH,
                    Stream.of(Communicator.class, ReStore.class, Redset.class, IntSet.class, NullMarked.class)
                            .map(ModulesTest::whereItLies).toList());
            compiler.getTask(null, files, diagnostics, List.of("-proc:none", "-Xlint:none"), null,
                    List.of(MODULE, source("consumer/Program", program(anotherImport)))).call();
        }
        return diagnostics.getDiagnostics().stream().filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(Diagnostic::getCode).collect(Collectors.joining("\n"));
    }

    /** Uses both libraries, and a type of fastutil for those that public signatures name. */
    private static String program(String anotherImport) {
        return """
                package consumer;
                import it.unimi.dsi.fastutil.ints.IntSet;
                import org.restorej.ReStore;
                import org.restorej.block.BlockRanges;
                import org.restorej.comm.Communicator;
                import org.restorej.comm.local.LocalCluster;
                import org.restorej.comm.mpi.EmbeddedMpi;
                import org.restorej.redset.Redset;
                %s
                interface Program {
                    void use(IntSet ranks, ReStore store, BlockRanges ranges, Communicator communicator,
                            LocalCluster cluster, EmbeddedMpi mpi, Redset redset);
                }
                """.formatted(anotherImport);
    }

    private static Path whereItLies(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException broken) {
            throw new AssertionError(broken);
        }
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
