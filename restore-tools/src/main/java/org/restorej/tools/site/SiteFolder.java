package org.restorej.tools.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.restorej.tools.markdown.MarkdownFile;

/** Writes the pages of the site into a folder: one for each Markdown file, and copies of the files they lead to. */
final class SiteFolder {
    private final Path projectRoot;
    private final Path folder;

    SiteFolder(Path projectRoot, Path folder) {
        this.projectRoot = projectRoot;
        this.folder = folder;
    }

    /** Writes everything but the Javadoc, which belongs into the folder {@code api}. */
    void write() throws IOException {
        List<MarkdownFile> pages = new ArrayList<>();
        for (Path path : MarkdownFile.publishedIn(projectRoot)) {
            pages.add(MarkdownFile.read(path));
        }
        PageLinks links = new PageLinks(projectRoot);
        for (MarkdownFile page : pages) {
            links.rewrite(page);
            Path target = folder.resolve(pageOf(page));
            Files.createDirectories(target.getParent());
            Files.writeString(target, html(page, pages));
        }
        for (Path linked : links.files()) {
            copy(linked);
        }
        Files.write(folder.resolve("site.css"), style());
    }

    private String pageOf(MarkdownFile page) {
        return PageLinks.pageOf(projectRoot.relativize(page.path()).toString());
    }

    private String html(MarkdownFile page, List<MarkdownFile> pages) {
        String up = "../".repeat(projectRoot.relativize(page.path()).getNameCount() - 1);
        StringBuilder navigation = new StringBuilder();
        for (MarkdownFile other : pages) {
            navigation.append(entry(up + pageOf(other), other.title()));
        }
        navigation.append(entry(up + "api/index.html", "Javadoc"));
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
                <title>%s</title><link rel="stylesheet" href="%ssite.css"></head>
                <body>
                <nav><ul>
                %s</ul></nav>
                <main>
                %s</main>
                </body>
                </html>
                """.formatted(escaped(page.title()), up, navigation, page.html());
    }

    private static String entry(String target, String title) {
        return "<li><a href=\"" + target + "\">" + escaped(title) + "</a></li>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void copy(Path linked) throws IOException {
        Path source = projectRoot.resolve(linked);
        if (!Files.isRegularFile(source)) {
            throw new IOException("a page can lead to a file of the project, not to a folder: " + linked);
        }
        Path target = folder.resolve(linked);
        Files.createDirectories(target.getParent());
        Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] style() throws IOException {
        try (InputStream style = Objects.requireNonNull(SiteFolder.class.getResourceAsStream("site.css"), "site.css")) {
            return style.readAllBytes();
        }
    }
}
