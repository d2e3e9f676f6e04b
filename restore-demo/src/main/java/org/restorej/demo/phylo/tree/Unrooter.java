package org.restorej.demo.phylo.tree;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes an unrooted tree of the nodes of a text: takes out what has only two branches, or one at the top. */
final class Unrooter {
    private final List<NewickNode> nodes;
    private final NewickNode root;

    /** Nodes of a text with at least two tips, parents before children. */
    Unrooter(List<NewickNode> allNodes) {
        int top = 0;
        while (allNodes.get(top).childCount == 1) {
            top++;
        }
        root = allNodes.get(top);
        nodes = allNodes.subList(top, allNodes.size());
    }

    Tree tree() {
        linkKeptNodes();
        List<String> taxa = new ArrayList<>();
        List<NewickNode> kept = new ArrayList<>();
        for (NewickNode node : nodes) {
            if (node.isTip()) {
                node.id = taxa.size();
                taxa.add(node.label);
                kept.add(node);
            }
        }
        for (NewickNode node : nodes) {
            if (!node.isTip() && isKept(node)) {
                node.id = kept.size();
                kept.add(node);
            }
        }
        return new Tree(taxa, kept.size(), ends(kept), lengths(kept));
    }

    private boolean isKept(NewickNode node) {
        return node == root ? node.childCount > 2 : node.childCount != 1;
    }

    private void linkKeptNodes() {
        NewickNode below = null;
        for (NewickNode node : nodes.subList(1, nodes.size())) {
            NewickNode parent = node.parent;
            node.keptParent = parent;
            node.keptLength = node.length;
            if (parent != null && parent != root && !isKept(parent)) {
                node.keptParent = parent.keptParent;
                node.keptLength += parent.keptLength;
            }
            if (node.keptParent == root && !isKept(root) && isKept(node)) {
                below = joinBelowRoot(below, node);
            }
        }
    }

    /** The two nodes below a root of two branches become neighbours. */
    private static NewickNode joinBelowRoot(@Nullable NewickNode first, NewickNode node) {
        if (first == null) {
            return node;
        }
        node.keptParent = first;
        node.keptLength += first.keptLength;
        first.keptParent = null;
        return first;
    }

    private static int[] ends(List<NewickNode> kept) {
        int[] ends = new int[2 * (kept.size() - 1)];
        int next = 0;
        for (NewickNode node : kept) {
            NewickNode parent = node.keptParent;
            if (parent != null) {
                ends[next++] = parent.id;
                ends[next++] = node.id;
            }
        }
        return ends;
    }

    private static double[] lengths(List<NewickNode> kept) {
        return kept.stream().filter(node -> node.keptParent != null).mapToDouble(node -> node.keptLength).toArray();
    }
}
