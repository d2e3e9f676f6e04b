package org.restorej.tools.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;
import org.restorej.tools.markdown.CodeBlock;

/**
 * The commands in the documentation run, and print what the documentation says.
 *
 * <p>
 * Run are blocks of {@code sh} and {@code console}; a comment {@code <!-- file: NAME -->} before any other block writes
 * it to a file for them. {@code <!-- needs: WHAT -->} leaves a block out where that is not there. Documents are run
 * side by side: most of the time is that of starting JVMs.
 */
@Execution(ExecutionMode.CONCURRENT)
class CommandBlocksIT {
    /** What no test has, and what is run elsewhere or takes too long for a test. */
    private static final Set<String> NEVER_HERE = Set.of("cluster", "root", "minutes", "release");
    private static final Map<String, MpiFlavour> MPI = Map.of("mpi", MpiFlavour.OPEN_MPI, "ulfm", MpiFlavour.ULFM);

    /** What their commands do, the tests of the modules and {@code tests/lib/test-consumer} do every day. */
    private static final Set<String> DEEP_DOCUMENTS = Set.of("README.md", "guide.md", "redset.md");

    @TempDir
    private Path folder = Path.of("");

    private static List<Path> documents(boolean deep) throws IOException {
        return Documents.documents().stream()
                .filter(document -> DEEP_DOCUMENTS.contains(String.valueOf(document.getFileName())) == deep)
                .filter(document -> Documents.blocksOf(document).stream().anyMatch(CommandBlocksIT::isRun))
                .toList();
    }

    private static List<Path> documentsOfEveryDay() throws IOException {
        return documents(false);
    }

    private static List<Path> otherDocuments() throws IOException {
        return documents(true);
    }

    private static boolean isRun(CodeBlock block) {
        return Set.of("sh", "console").contains(block.language())
                && !NEVER_HERE.contains(block.directive("needs").orElse(""));
    }

    @ParameterizedTest
    @MethodSource("documentsOfEveryDay")
    void commandsDoWhatTheDocumentSays(Path document) throws IOException, InterruptedException {
        runCommandsOf(document);
    }

    @Deep
    @ParameterizedTest
    @MethodSource("otherDocuments")
    void commandsDoWhatAnotherDocumentSays(Path document) throws IOException, InterruptedException {
        runCommandsOf(document);
    }

    private void runCommandsOf(Path document) throws IOException, InterruptedException {
        try (ShellSession session = new ShellSession(folder)) {
            List<ShellCommand> commands = new ArrayList<>();
            for (CodeBlock block : Documents.blocksOf(document)) {
                if (block.directive("file").isPresent()) {
                    session.write(block.directive("file").get(), block.text());
                } else if (isRun(block)) {
                    block.directive("needs").ifPresent(need -> MPI.get(need).require());
                    commands.addAll(ShellCommand.of(block));
                }
            }
            assertFalse(commands.isEmpty());
            assertEquals("", String.join("\n", session.mistakes(commands)));
        }
    }

    @Test
    void needsAreKnown() throws IOException {
        assertEquals(List.of(), Documents.codeBlocks().filter(block -> block.directive("needs")
                .filter(need -> !NEVER_HERE.contains(need) && !MPI.containsKey(need)).isPresent())
                .map(CodeBlock::place).toList());
    }
}
