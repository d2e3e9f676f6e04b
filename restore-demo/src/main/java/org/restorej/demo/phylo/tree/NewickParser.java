package org.restorej.demo.phylo.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;

/**
 * Reads a tree in Newick format: quoted names, {@code [comments]}, names of inner nodes (which are ignored), lengths in
 * any usual notation. Needs no recursion, so depth is limited by memory only.
 *
 * <p>
 * Redundant parentheses are accepted. The tree is made unrooted, since a reversible model can't see where the root is:
 * a root of two branches, and every inner node with a single child, disappears, and the lengths on its two sides are
 * added up.
 */
public final class NewickParser {
    private final NewickText text;
    private final OptionalDouble missingLength;
    /** Parents come before their children. */
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Node> tips = new HashMap<>();

    /** A node as it stands in the text. */
    private static final class Node {
        final @Nullable Node parent;
        String label = "";
        /** Of the branch to the next node above that stays in the tree. */
        double length;
        int childCount;
        /** The next node above that stays in the tree. */
        @Nullable
        Node above;
        /** Number in the tree. */
        int id;

        Node(@Nullable Node parent) {
            this.parent = parent;
            if (parent != null) {
                parent.childCount++;
            }
        }

        boolean isTip() {
            return childCount == 0;
        }
    }

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
        Node node = add(null);
        while (true) {
            node = descend(node);
            node = finish(node);
            char next = text.peek();
            while (next == ')') {
                Node parent = node.parent;
                if (parent == null) {
                    throw text.error(text.offset(), "')' without '('");
                }
                text.skip();
                node = finish(parent);
                next = text.peek();
            }
            Node parent = node.parent;
            if (next == ',' && parent != null) {
                text.skip();
                node = add(parent);
            } else {
                checkEnd(node, next);
                return unrooted();
            }
        }
    }

    /** Goes down through opening parentheses to a tip, and reads its name. */
    private Node descend(Node from) {
        Node node = from;
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

    private Node add(@Nullable Node parent) {
        Node node = new Node(parent);
        nodes.add(node);
        return node;
    }

    /** Reads what may follow a tip's name or a closing parenthesis: the name of an inner node, a length. */
    private Node finish(Node node) {
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
    private boolean isEnclosedAlone(Node node) {
        return node.parent != null && node.parent.childCount == 1 && text.peek() == ')';
    }

    private void checkEnd(Node node, char next) {
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

    /** Takes out what has only two branches, and what has one at the top. */
    private Tree unrooted() {
        int top = 0;
        while (nodes.get(top).childCount == 1) {
            top++;
        }
        Node root = nodes.get(top);
        List<Node> kept = new ArrayList<>();
        for (Node node : nodes.subList(top, nodes.size())) {
            if (node.isTip()) {
                kept.add(node);
            }
        }
        List<String> taxa = kept.stream().map(node -> node.label).toList();
        for (Node node : nodes.subList(top, nodes.size())) {
            if (node.childCount > (node == root ? 2 : 1)) {
                kept.add(node);
            }
        }
        IntStream.range(0, kept.size()).forEach(id -> kept.get(id).id = id);
        nodes.subList(top + 1, nodes.size()).forEach(node -> link(node, root));
        List<Node> belowRoot = kept.stream().filter(node -> node.above == root).toList();
        if (root.childCount == 2) {
            // They become neighbours.
            belowRoot.getLast().above = belowRoot.getFirst();
            belowRoot.getLast().length += belowRoot.getFirst().length;
            belowRoot.getFirst().above = null;
        }
        return tree(taxa, kept);
    }

    private static void link(Node node, Node root) {
        Node parent = node.parent;
        node.above = parent;
        if (parent != null && parent != root && parent.childCount == 1) {
            node.above = parent.above;
            node.length += parent.length;
        }
    }

    private static Tree tree(List<String> taxa, List<Node> kept) {
        int[] ends = new int[2 * (kept.size() - 1)];
        double[] lengths = new double[kept.size() - 1];
        int branch = 0;
        for (Node node : kept) {
            Node above = node.above;
            if (above != null) {
                ends[2 * branch] = above.id;
                ends[2 * branch + 1] = node.id;
                lengths[branch++] = node.length;
            }
        }
        return new Tree(taxa, kept.size(), ends, lengths);
    }

    private String found() {
        char next = text.peek();
        return next == NewickText.END ? ", found the end" : ", found '" + next + "'";
    }
}
