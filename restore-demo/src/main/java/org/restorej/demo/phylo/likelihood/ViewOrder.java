package org.restorej.demo.phylo.likelihood;

import java.util.Arrays;
import org.restorej.demo.phylo.tree.Tree;

/** Which views of inner nodes have to be computed so that all look towards one branch, and in which order. */
final class ViewOrder {
    private static final int NOWHERE = -1;

    private final Tree tree;
    /** The branch that the view of a node looks along. */
    private final int[] towards;
    /** Nodes that have turned, parents before their children. */
    private final int[] turned;
    private int count;

    /** No view is computed yet. */
    ViewOrder(Tree tree) {
        this.tree = tree;
        towards = new int[tree.nodeCount()];
        turned = new int[tree.nodeCount()];
        invalidate();
    }

    /** Forgets all views, as what they are computed from has changed. */
    void invalidate() {
        Arrays.fill(towards, NOWHERE);
    }

    /** Turns the nodes that look elsewhere; behind a node that looks the right way, all others do too. */
    void turnTowards(int branch) {
        count = 0;
        int end = tree.firstEnd(branch);
        turn(end, branch);
        turn(tree.otherEnd(branch, end), branch);
        for (int next = 0; next < count; next++) {
            int node = turned[next];
            for (int index = 0; index < tree.degree(node); index++) {
                int further = tree.branchAt(node, index);
                if (further != towards[node]) {
                    turn(tree.otherEnd(further, node), further);
                }
            }
        }
    }

    private void turn(int node, int branch) {
        if (!tree.isTip(node) && towards[node] != branch) {
            towards[node] = branch;
            turned[count++] = node;
        }
    }

    /** Computes the views of the nodes that the last call of {@link #turnTowards} has turned, children first. */
    void update(Pruning pruning, PatternGroup group, Views views) {
        for (int step = count - 1; step >= 0; step--) {
            pruning.updateView(group, views, turned[step], towards[turned[step]]);
        }
    }
}
