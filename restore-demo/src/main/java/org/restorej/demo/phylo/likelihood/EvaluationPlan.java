package org.restorej.demo.phylo.likelihood;

import java.util.Arrays;
import java.util.Comparator;
import org.restorej.demo.phylo.tree.Tree;

/**
 * The order in which all views towards one branch are computed when each is needed only once, and slots for them that
 * are reused: about log2 of the number of taxa, so that all of them stay in cache.
 *
 * <p>
 * Children that need more slots come first (R. Sethi and J. Ullman, "The generation of optimal code for arithmetic
 * expressions", J. ACM 17 (1970), 715-728).
 */
final class EvaluationPlan {
    private final int branch;
    private final int[] nodes;
    private final int[] towards;
    private final int[] slots;
    private final int slotCount;

    private EvaluationPlan(int branch, int[] nodes, int[] towards, int[] slots, int slotCount) {
        this.branch = branch;
        this.nodes = nodes;
        this.towards = towards;
        this.slots = slots;
        this.slotCount = slotCount;
    }

    /** Plans for the views of both ends of a branch. */
    static EvaluationPlan towards(Tree tree, int branch) {
        int[] nodes = new int[tree.nodeCount() - tree.tipCount()];
        int[] towards = new int[tree.nodeCount()];
        fillParentsFirst(tree, branch, nodes, towards);
        int[] needs = slotNeeds(tree, nodes, towards);
        orderChildrenFirst(tree, branch, nodes, towards, needs);
        int[] slots = new int[tree.nodeCount()];
        int slotCount = assignSlots(tree, nodes, towards, slots);
        return new EvaluationPlan(branch, nodes, towards, slots, slotCount);
    }

    private static void fillParentsFirst(Tree tree, int root, int[] nodes, int[] towards) {
        int count = 0;
        for (int node : ends(tree, root)) {
            towards[node] = root;
            if (!tree.isTip(node)) {
                nodes[count++] = node;
            }
        }
        for (int next = 0; next < count; next++) {
            int node = nodes[next];
            for (int index = 0; index < tree.degree(node); index++) {
                int branch = tree.branchAt(node, index);
                int child = tree.otherEnd(branch, node);
                if (branch != towards[node]) {
                    towards[child] = branch;
                    if (!tree.isTip(child)) {
                        nodes[count++] = child;
                    }
                }
            }
        }
    }

    private static int[] ends(Tree tree, int branch) {
        int end = tree.firstEnd(branch);
        return new int[]{end, tree.otherEnd(branch, end)};
    }

    private static int[] slotNeeds(Tree tree, int[] parentsFirst, int[] towards) {
        int[] needs = new int[tree.nodeCount()];
        for (int index = parentsFirst.length - 1; index >= 0; index--) {
            int node = parentsFirst[index];
            int[] children = innerChildren(tree, node, towards, needs);
            int need = children.length + 1;
            for (int kept = 0; kept < children.length; kept++) {
                need = Math.max(need, needs[children[kept]] + kept);
            }
            needs[node] = need;
        }
        return needs;
    }

    /** Inner nodes behind a node, those with the largest needs first. */
    private static int[] innerChildren(Tree tree, int node, int[] towards, int[] needs) {
        int[] children = new int[tree.degree(node) - 1];
        int count = 0;
        for (int index = 0; index < tree.degree(node); index++) {
            int branch = tree.branchAt(node, index);
            int child = tree.otherEnd(branch, node);
            if (branch != towards[node] && !tree.isTip(child)) {
                children[count++] = child;
            }
        }
        return largestNeedFirst(Arrays.copyOf(children, count), needs);
    }

    private static int[] largestNeedFirst(int[] nodes, int[] needs) {
        if (nodes.length < 2) {
            return nodes;
        }
        return Arrays.stream(nodes).boxed().sorted(Comparator.comparingInt(node -> -needs[node]))
                .mapToInt(Integer::intValue).toArray();
    }

    /** Visits parents first and needy children last, backwards: children first, needy ones before the others. */
    private static void orderChildrenFirst(Tree tree, int root, int[] nodes, int[] towards, int[] needs) {
        int[] stack = new int[nodes.length + 2];
        int depth = 0;
        int[] tops = Arrays.stream(ends(tree, root)).filter(node -> !tree.isTip(node)).toArray();
        for (int node : largestNeedFirst(tops, needs)) {
            stack[depth++] = node;
        }
        int next = nodes.length;
        while (depth > 0) {
            int node = stack[--depth];
            nodes[--next] = node;
            for (int child : innerChildren(tree, node, towards, needs)) {
                stack[depth++] = child;
            }
        }
    }

    private static int assignSlots(Tree tree, int[] childrenFirst, int[] towards, int[] slots) {
        int[] free = new int[childrenFirst.length];
        int freeCount = 0;
        int slotCount = 0;
        for (int node : childrenFirst) {
            slots[node] = freeCount > 0 ? free[--freeCount] : slotCount++;
            for (int index = 0; index < tree.degree(node); index++) {
                int branch = tree.branchAt(node, index);
                int child = tree.otherEnd(branch, node);
                if (branch != towards[node] && !tree.isTip(child)) {
                    free[freeCount++] = slots[child];
                }
            }
        }
        return slotCount;
    }

    /** The branch that all views look towards. */
    int branch() {
        return branch;
    }

    /** Number of views to compute. */
    int stepCount() {
        return nodes.length;
    }

    /** Node of a step. */
    int node(int step) {
        return nodes[step];
    }

    /** Branch that the view of a step looks along. */
    int towards(int step) {
        return towards[nodes[step]];
    }

    /** Slot by inner node. */
    int[] slots() {
        return slots;
    }

    int slotCount() {
        return slotCount;
    }
}
