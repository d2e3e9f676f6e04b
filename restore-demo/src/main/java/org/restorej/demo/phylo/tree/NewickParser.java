package org.restorej.demo.phylo.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;

/**
 * Reads a tree in Newick format: quoted names, {@code [comments]}, names of inner nodes (which are ignored), lengths in
 * any usual notation. Needs no recursion, so depth is limited by memory only.
 *
 * <p>
 * Redundant parentheses are accepted. The tree is made unrooted, since a reversible model can't see where the root is: a root of two branches, and every
 * inner node with a single child, disappears, and the lengths on its two sides are added up.
 */
public final class NewickParser {
    private final NewickText text;
    private final OptionalDouble missingLength;
    private final List<NewickNode> nodes = new ArrayList<>();
    private final Map<String, NewickNode> tips = new HashMap<>();

    private NewickParser(InputText input, OptionalDouble missingLength) {
        text = new NewickText(input);
        this.missingLength = missingLength;
    }

    /**
     * Parses a tree all of whose branches have lengths.
     *
     * @throws InvalidInputException when it isn't a tree, with line and column
     */
    public static Tree parse(InputText input) {
        return new NewickParser(input, OptionalDouble.empty()).parse();
    }

    /**
     * Parses a tree whose lengths are only a start.
     *
     * @param input the text
     * @param missingLength length of branches that have none
     * @throws InvalidInputException when it isn't a tree, with line and column
     */
    public static Tree parse(InputText input, double missingLength) {
        return new NewickParser(input, OptionalDouble.of(missingLength)).parse();
    }

    private Tree parse() {
        if (text.peek() == NewickText.END) {
            throw text.error(text.offset(), "the tree is empty");
        }
        if (text.isNexus()) {
            throw text.error(text.offset(), "this is a NEXUS file, which isn't read: write the tree in Newick, as it "
                    + "stands behind '=' in the line that begins with 'tree'");
        }
        NewickNode node = add(null);
        while (true) {
            node = descend(node);
            node = finish(node);
            char next = text.peek();
            while (next == ')') {
                NewickNode parent = node.parent;
                if (parent == null) {
                    throw text.error(text.offset(), "')' without '('");
                }
                text.skip();
                node = finish(parent);
                next = text.peek();
            }
            NewickNode parent = node.parent;
            if (next == ',' && parent != null) {
                text.skip();
                node = add(parent);
            } else {
                checkEnd(node, next);
                return new Unrooter(nodes).tree();
            }
        }
    }

    /** Goes down through opening parentheses to a tip, and reads its name. */
    private NewickNode descend(NewickNode from) {
        NewickNode node = from;
        while (text.peek() == '(') {
            text.skip();
            node = add(node);
        }
        int offset = text.offset();
        node.label = text.label();
        if (node.label.isEmpty()) {
            throw text.error(offset, "expected the name of a taxon or '('" + found());
        }
        if (tips.putIfAbsent(node.label, node) != null) {
            throw text.error(offset, "taxon '" + node.label + "' is in the tree twice");
        }
        return node;
    }

    private NewickNode add(@Nullable NewickNode parent) {
        text.peek();
        NewickNode node = new NewickNode(parent, text.offset());
        nodes.add(node);
        return node;
    }

    /** Reads what may follow a tip's name or a closing parenthesis: the name of an inner node, a length. */
    private NewickNode finish(NewickNode node) {
        if (!node.isTip()) {
            node.label = text.label();
        }
        if (text.peek() == ':') {
            text.skip();
            node.length = text.length();
        } else if (node.parent != null) {
            node.length = isEnclosedAlone(node)
                    ? 0
                    : missingLength.orElseThrow(() -> text.error(text.offset(), "the branch to "
                            + (node.label.isEmpty() ? "the inner node that ends here" : "'" + node.label + "'")
                            + " has no length"));
        }
        return node;
    }

    /** Parentheses around a whole tree, or a whole clade, add a node that needs no length. */
    private boolean isEnclosedAlone(NewickNode node) {
        return node.parent != null && node.parent.childCount == 1 && text.peek() == ')';
    }

    private void checkEnd(NewickNode node, char next) {
        if (next != ';' || node.parent != null) {
            String expected = node.parent == null ? "';'" : "',' or ')'";
            throw text.error(text.offset(), "expected " + expected + found());
        }
        text.skip();
        if (text.peek() != NewickText.END) {
            throw text.error(text.offset(), "only one tree is expected, and something follows its ';'");
        }
        if (tips.size() < 2) {
            throw text.error(0, "a tree must have at least 2 taxa: taxa=" + tips.size());
        }
    }

    private String found() {
        char next = text.peek();
        return next == NewickText.END ? ", found the end" : ", found '" + next + "'";
    }
}
