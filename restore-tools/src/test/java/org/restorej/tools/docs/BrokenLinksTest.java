package org.restorej.tools.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProjectFolder;
import org.restorej.tools.markdown.MarkdownFile;

class BrokenLinksTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void theDocumentationHasNone() throws IOException {
        assertEquals(List.of(), BrokenLinks.in(MarkdownFile.publishedIn(ProjectFolder.root())));
    }

    @Test
    void findsMissingFilesPicturesAndHeadingsByLine() throws IOException {
        Path other = Files.writeString(folder.resolve("other.md"), "# One\n\n## `code()` and Two\n");
        Path page = Files.writeString(folder.resolve("page.md"), """
                # Page

                [there](other.md#code-and-two), [here](#page), [outside](https://example.org/none),
                [nowhere](missing.md)
                [no heading](other.md#three)

                ![no picture](missing.svg)
                """);
        assertEquals(List.of(page + ":4: missing.md", page + ":5: other.md#three", page + ":7: missing.svg"),
                BrokenLinks.in(List.of(other, page)));
    }
}
