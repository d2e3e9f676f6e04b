package org.restorej.tools.markdown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableBody;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * A parsed Markdown file. Immutable.
 *
 * @param path the file
 * @param root its document node
 */
public record MarkdownFile(Path path, Node root) {
    private static final List<org.commonmark.Extension> EXTENSIONS = List.of(TablesExtension.create(),
            HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES).build();
    private static final Pattern DIRECTIVE = Pattern.compile("<!--\\s*([a-z]+):\\s*(.*?)\\s*-->", Pattern.DOTALL);

    /** Reads a file. */
    public static MarkdownFile read(Path path) throws IOException {
        return new MarkdownFile(path, PARSER.parse(Files.readString(path)));
    }

    /** The Markdown files of the project that are published: those in its root, in {@code docs}, and of the library below. */
    public static List<Path> publishedIn(Path projectRoot) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path folder : List.of(projectRoot, projectRoot.resolve("docs"), projectRoot.resolve("restore-comm"))) {
            try (var entries = Files.list(folder)) {
                entries.filter(path -> path.toString().endsWith(".md")).sorted().forEach(files::add);
            }
        }
        return files;
    }

    /** The fenced blocks, from the top. */
    public List<CodeBlock> codeBlocks() {
        List<CodeBlock> blocks = new ArrayList<>();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(FencedCodeBlock block) {
                // The code begins on the line after the fence.
                blocks.add(new CodeBlock(path, line(block) + 1, block.getInfo().strip(), block.getLiteral(),
                        directivesBefore(block)));
            }
        });
        return blocks;
    }

    private static Map<String, String> directivesBefore(Node block) {
        Map<String, String> directives = new LinkedHashMap<>();
        for (Node before = block.getPrevious(); before instanceof HtmlBlock comment; before = before.getPrevious()) {
            Matcher matcher = DIRECTIVE.matcher(comment.getLiteral());
            while (matcher.find()) {
                directives.put(matcher.group(1), matcher.group(2));
            }
        }
        return directives;
    }

    /** The links and pictures, from the top. */
    public List<Reference> references() {
        List<Reference> references = new ArrayList<>();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                references.add(new Reference(path, line(link), link.getDestination()));
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                references.add(new Reference(path, line(image), image.getDestination()));
            }
        });
        return references;
    }

    private static int line(Node node) {
        return node.getSourceSpans().isEmpty() ? 0 : node.getSourceSpans().getFirst().getLineIndex() + 1;
    }

    /** The rows of all tables, from the top; tables within lists and quotations excepted. */
    public List<TableRow> tableRows() {
        List<TableRow> rows = new ArrayList<>();
        String heading = "";
        for (Node node : childrenOf(root)) {
            if (node instanceof Heading next) {
                heading = textOf(next);
            } else if (node instanceof TableBlock table) {
                for (Node part : childrenOf(table)) {
                    if (part instanceof TableBody body) {
                        for (Node row : childrenOf(body)) {
                            List<Node> cells = childrenOf(row);
                            rows.add(new TableRow(heading, cells.stream().map(MarkdownFile::textOf).toList(),
                                    cells.stream().map(MarkdownFile::codesOf).toList()));
                        }
                    }
                }
            }
        }
        return rows;
    }

    private static List<Node> childrenOf(Node parent) {
        return Stream.iterate(parent.getFirstChild(), Objects::nonNull, Node::getNext).toList();
    }

    private static List<String> codesOf(Node cell) {
        List<String> codes = new ArrayList<>();
        cell.accept(new AbstractVisitor() {
            @Override
            public void visit(Code part) {
                codes.add(part.getLiteral());
            }
        });
        return codes;
    }

    /** What links can lead to within the file: an id for each heading, as code hosts make them. */
    public Set<String> anchors() {
        IdGenerator ids = IdGenerator.builder().build();
        Set<String> anchors = new LinkedHashSet<>();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                anchors.add(ids.generateId(textOf(heading)));
            }
        });
        return anchors;
    }

    private static String textOf(Node parent) {
        StringBuilder text = new StringBuilder();
        parent.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }
        });
        return text.toString();
    }
}
