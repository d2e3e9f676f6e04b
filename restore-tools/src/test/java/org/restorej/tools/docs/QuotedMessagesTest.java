package org.restorej.tools.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.testing.ProjectFolder;
import org.restorej.tools.markdown.CodeBlock;

/**
 * Messages that documents quote are those of the code: a comment {@code <!-- printed: FILE -->} before a block names the
 * source. {@code ...} stands for what differs from case to case.
 */
class QuotedMessagesTest {
    @Test
    void messagesAreThoseOfTheCode() throws IOException {
        List<CodeBlock> quotations = Documents.codeBlocks().filter(block -> block.directive("printed").isPresent())
                .toList();
        assertFalse(quotations.isEmpty());
        assertEquals(List.of(), missing(quotations, ProjectFolder.root()));
    }

    /** A line for each part of a message that its source doesn't have. */
    private static List<String> missing(List<CodeBlock> quotations, Path root) throws IOException {
        List<String> missing = new ArrayList<>();
        for (CodeBlock block : quotations) {
            String file = block.directive("printed").orElseThrow();
            // Literals may be put together of several.
            String source = Files.readString(root.resolve(file)).replaceAll("\"\\s*\\+\\s*\"", "").replace("\\\"",
                    "\"");
            for (String line : block.text().lines().toList()) {
                for (String part : line.split("\\.\\.\\.", -1)) {
                    if (!source.contains(part.strip())) {
                        missing.add(block.place() + ": " + file + " has no: " + part);
                    }
                }
            }
        }
        return missing;
    }
}
