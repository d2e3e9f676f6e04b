package org.restorej.tools.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.testing.ProjectFolder;
import org.restorej.tools.markdown.MarkdownFile;

class BrokenLinksTest {
    @Test
    void theDocumentationHasNone() throws IOException {
        assertEquals(List.of(), BrokenLinks.in(MarkdownFile.publishedIn(ProjectFolder.root())));
    }
}
