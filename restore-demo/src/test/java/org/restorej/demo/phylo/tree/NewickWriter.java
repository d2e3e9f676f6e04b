package org.restorej.demo.phylo.tree;

import java.util.regex.Pattern;

/** Writes trees in Newick format. */
public final class NewickWriter {
    private static final Pattern NEEDS_QUOTES = Pattern.compile("[\\s()\\[\\]:;,']");

    private NewickWriter() {}

    /** The tree in one line, with a root of three or more branches where there is an inner node, and all digits. */
    public static String write(Tree tree) {
        int firstTip = 0;
        int firstBranch = tree.branchAt(firstTip, 0);
        int root = tree.otherEnd(firstBranch, firstTip);
        StringBuilder text = new StringBuilder();
        if (tree.isTip(root)) {
            appendName(text.append('('), tree, firstTip).append(":0.0,");
            appendName(text, tree, root).append(':').append(tree.length(firstBranch)).append(')');
        } else {
            appendInner(text, tree, root);
        }
        return text.append(';').toString();
    }

    /** Walks around the tree; branches already seen at a node aren't taken again. */
    private static void appendInner(StringBuilder text, Tree tree, int root) {
        int[] cameBy = new int[tree.nodeCount()];
        int[] next = new int[tree.nodeCount()];
        cameBy[root] = -1;
        int node = root;
        char separator = '(';
        while (node != root || next[root] < tree.degree(root)) {
            if (next[node] < tree.degree(node)) {
                int branch = tree.branchAt(node, next[node]++);
                if (branch != cameBy[node]) {
                    text.append(separator);
                    node = tree.otherEnd(branch, node);
                    cameBy[node] = branch;
                    separator = '(';
                }
                continue;
            }
            (tree.isTip(node) ? appendName(text, tree, node) : text.append(')'))
                    .append(':').append(tree.length(cameBy[node]));
            node = tree.otherEnd(cameBy[node], node);
            separator = ',';
        }
        text.append(')');
    }

    private static StringBuilder appendName(StringBuilder text, Tree tree, int tip) {
        String name = tree.taxa().get(tip);
        boolean quoted = NEEDS_QUOTES.matcher(name).find();
        return text.append(quoted ? "'" + name.replace("'", "''") + "'" : name);
    }
}
