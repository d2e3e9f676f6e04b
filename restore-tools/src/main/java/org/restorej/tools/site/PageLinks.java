package org.restorej.tools.site;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.restorej.tools.markdown.MarkdownFile;
import org.restorej.tools.markdown.Reference;

/**
 * Lets the links of Markdown files lead to the site's pages, and collects what else they lead to. One thread.
 */
final class PageLinks {
    private static final String MARKDOWN = ".md";

    private final Path projectRoot;
    private final Set<Path> files = new LinkedHashSet<>();

    PageLinks(Path projectRoot) {
        this.projectRoot = projectRoot;
    }

    /** Files and folders that pages lead to and that are no pages, relative to the project's root. */
    Set<Path> files() {
        return files;
    }

    /** Path of a page in the site, for a Markdown file in the project. */
    static String pageOf(String markdownPath) {
        String page = markdownPath.substring(0, markdownPath.length() - MARKDOWN.length()) + ".html";
        return page.equals("README.html") || page.endsWith("/README.html")
                ? page.substring(0, page.length() - "README.html".length()) + "index.html"
                : page;
    }

    void rewrite(MarkdownFile file) {
        file.root().accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                link.setDestination(rewritten(file.path(), link.getDestination()));
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                image.setDestination(rewritten(file.path(), image.getDestination()));
            }
        });
    }

    private String rewritten(Path file, String destination) {
        Reference reference = new Reference(file, 0, destination);
        String path = reference.path();
        if (reference.isExternal() || path.isEmpty()) {
            return destination;
        }
        String anchor = destination.substring(path.length());
        if (path.endsWith(MARKDOWN)) {
            return pageOf(path) + anchor;
        }
        files.add(projectRoot.relativize(file.resolveSibling(path).normalize()));
        return destination;
    }
}
