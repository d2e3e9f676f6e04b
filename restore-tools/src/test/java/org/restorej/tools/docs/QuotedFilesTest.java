package org.restorej.tools.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.testing.ProjectFolder;
import org.restorej.tools.markdown.CodeBlock;

/** What documents quote from files is there. */
class QuotedFilesTest {
    @Test
    void quotationsAreExact() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<CodeBlock> quotations = Documents.codeBlocks().filter(block -> block.directive("from").isPresent())
                .toList();
        assertFalse(quotations.isEmpty());
        for (CodeBlock block : quotations) {
            String file = block.directive("from").orElseThrow();
            assertFalse(block.text().isBlank(), block::place);
            if (!Files.readString(ProjectFolder.root().resolve(file)).contains(block.text())) {
                wrong.add(block.place() + " is not in " + file);
            }
        }
        assertEquals(List.of(), wrong);
    }
}
