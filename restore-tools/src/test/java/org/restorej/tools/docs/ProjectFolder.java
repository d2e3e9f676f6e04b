package org.restorej.tools.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.restorej.tools.markdown.CodeBlock;
import org.restorej.tools.markdown.MarkdownFile;

/** The project that is being built. */
public final class ProjectFolder {
    private ProjectFolder() {}

    /** Its root folder. Tests run in the folder of their module. */
    public static Path root() {
        Path root = Path.of("").toAbsolutePath().getParent();
        if (root == null) {
            throw new IllegalStateException("tests must run in the folder of a module");
        }
        return root;
    }

    /** Its published Markdown files. */
    static List<Path> documents() throws IOException {
        return MarkdownFile.publishedIn(root());
    }

    /** The code blocks of all of them. */
    static Stream<CodeBlock> codeBlocks() throws IOException {
        return documents().stream().flatMap(file -> blocksOf(file).stream());
    }

    static List<CodeBlock> blocksOf(Path file) {
        try {
            return MarkdownFile.read(file).codeBlocks();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
