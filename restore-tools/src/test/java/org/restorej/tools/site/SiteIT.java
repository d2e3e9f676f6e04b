package org.restorej.tools.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.ScriptRun;

/** The site as one command makes it. */
class SiteIT {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#:]+)(?:#[^\"]*)?\"");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void hasAllDocumentsAndTheJavadocAndNoLinkIntoTheVoid() throws IOException, InterruptedException {
        Path site = folder.resolve("site");
        ScriptRun run = ScriptRun.of("site", site.toString());
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.everything().contains(site.resolve("index.html").toString()), run::describe);
        assertTrue(Files.exists(site.resolve("api/org/restorej/ReStore.html")));
        assertTrue(Files.exists(site.resolve("api/org/restorej/redset/Redset.html")));
        assertFalse(Files.exists(site.resolve("api/org/restorej/internal")));
        List<Path> pages = new ArrayList<>();
        for (Path part : List.of(site, site.resolve("docs"))) {
            try (var entries = Files.list(part)) {
                entries.filter(path -> path.toString().endsWith(".html")).forEach(pages::add);
            }
        }
        assertTrue(pages.contains(site.resolve("docs/guide.html")), pages::toString);
        assertEquals(List.of(), broken(pages));
    }

    private static List<String> broken(List<Path> pages) throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            Matcher links = LINK.matcher(Files.readString(page));
            while (links.find()) {
                if (!Files.exists(page.resolveSibling(links.group(1)))) {
                    broken.add(page + ": " + links.group(1));
                }
            }
        }
        return broken;
    }

    @Test
    void saysWhatIsWrongWithACommandLine() throws IOException, InterruptedException {
        assertEquals(2, ScriptRun.of("site", "--nonsense").exitCode());
        assertEquals(2, ScriptRun.of("site", "one", "two").exitCode());
    }
}
