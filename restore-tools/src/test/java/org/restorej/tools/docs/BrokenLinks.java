package org.restorej.tools.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.tools.markdown.MarkdownFile;
import org.restorej.tools.markdown.Reference;

/** Finds links between the files of the project that lead nowhere. Links to other places are not followed. */
final class BrokenLinks {
    private BrokenLinks() {}

    /**
     * Looks at the relative links of some Markdown files.
     *
     * @return a line for each broken one, with its place
     */
    static List<String> in(List<Path> markdownFiles) throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path file : markdownFiles) {
            for (Reference reference : MarkdownFile.read(file).references()) {
                if (!reference.isExternal() && !leadsSomewhere(file, reference)) {
                    broken.add(reference.file() + ":" + reference.line() + ": " + reference.destination());
                }
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path file, Reference reference) throws IOException {
        Path target = reference.path().isEmpty() ? file : file.resolveSibling(reference.path());
        if (!Files.exists(target)) {
            return false;
        }
        return reference.anchor().isEmpty() || MarkdownFile.read(target).anchors().contains(reference.anchor());
    }
}
