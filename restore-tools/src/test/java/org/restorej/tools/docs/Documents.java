package org.restorej.tools.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.restorej.testing.ProjectFolder;
import org.restorej.tools.markdown.CodeBlock;
import org.restorej.tools.markdown.MarkdownFile;

/** The project's published documents. */
final class Documents {
    private Documents() {}

    /** All Markdown files. */
    static List<Path> documents() throws IOException {
        return MarkdownFile.publishedIn(ProjectFolder.root());
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
