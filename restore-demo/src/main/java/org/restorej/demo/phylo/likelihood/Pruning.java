package org.restorej.demo.phylo.likelihood;

import java.util.Arrays;
import org.restorej.demo.phylo.tree.Tree;

/**
 * Steps of Felsenstein's pruning on one group of patterns: a node's view out of the views behind its other branches,
 * and both views of a branch multiplied together (J. Felsenstein, "Evolutionary trees from DNA sequences: a maximum
 * likelihood approach", J. Mol. Evol. 17 (1981), 368-376).
 */
final class Pruning {
    private static final int STATES = CategoryMatrices.STATES;

    private final BranchMatrices matrices;
    private final Tree tree;
    private final int categoryCount;

    Pruning(BranchMatrices matrices) {
        this.matrices = matrices;
        tree = matrices.tree();
        categoryCount = matrices.model().categoryCount();
    }

    /**
     * Computes the view of an inner node; those of the nodes behind its other branches must look here.
     *
     * @param towards branch of the node that the view looks along
     */
    void updateView(PatternGroup group, Views views, int node, int towards) {
        int slot = slot(node);
        for (int category = 0; category < categoryCount; category++) {
            views.clearScales(slot, category);
            double log2Bound = 0;
            boolean first = true;
            for (int index = 0; index < tree.degree(node); index++) {
                int branch = tree.branchAt(node, index);
                if (branch == towards) {
                    continue;
                }
                int child = tree.otherEnd(branch, node);
                CategoryMatrices probabilities = matrices.probabilities(branch);
                apply(probabilities, category, group, views, child, slot, first);
                first = false;
                log2Bound += probabilities.log2Minimum[category];
                if (!tree.isTip(child)) {
                    log2Bound += views.log2Bound(slot(child), category);
                }
                // Bounds follow from branches alone, so that most nodes need not look at their patterns at all.
                if (log2Bound < ViewKernels.LOG2_SCALE_THRESHOLD) {
                    ViewKernels.rescale(views.planes(slot), category * STATES, views.writableScales(slot, category),
                            group.size());
                    log2Bound = ViewKernels.LOG2_SCALE_THRESHOLD;
                }
            }
            views.setLog2Bound(slot, category, log2Bound);
        }
    }

    /**
     * Multiplies the two views of a branch, each after a matrix: plane by plane, all categories scaled alike.
     *
     * @param nearMatrices applied to the view of the branch's first end
     * @param farMatrices applied to the view of its other end
     * @param slot takes the product
     * @param scales takes the scale of each pattern
     */
    void joinViews(PatternGroup group, Views views, int branch, CategoryMatrices nearMatrices,
            CategoryMatrices farMatrices, int slot, int[] scales) {
        int near = tree.firstEnd(branch);
        int far = tree.otherEnd(branch, near);
        boolean scaled = false;
        for (int category = 0; category < categoryCount; category++) {
            views.clearScales(slot, category);
            apply(nearMatrices, category, group, views, near, slot, true);
            apply(farMatrices, category, group, views, far, slot, false);
            scaled |= views.isScaled(slot, category);
        }
        if (scaled) {
            scaleAlike(views, slot, scales, group.size());
        } else {
            Arrays.fill(scales, 0, group.size(), 0);
        }
    }

    /** Where the view of an inner node is. */
    private int slot(int node) {
        return node - tree.tipCount();
    }

    private void apply(CategoryMatrices by, int category, PatternGroup group, Views views, int node, int target,
            boolean first) {
        double[][] out = views.planes(target);
        int plane = category * STATES;
        int count = group.size();
        if (tree.isTip(node)) {
            int base = category * CategoryMatrices.TIP_ENTRIES;
            if (first) {
                ViewKernels.storeTip(by.tipProducts, base, group.masks(node), out, plane, count);
            } else {
                ViewKernels.multiplyTip(by.tipProducts, base, group.masks(node), out, plane, count);
            }
            return;
        }
        int base = category * CategoryMatrices.ENTRIES;
        if (first) {
            ViewKernels.store(by.entries, base, views.planes(slot(node)), out, plane, count);
        } else {
            ViewKernels.multiply(by.entries, base, views.planes(slot(node)), out, plane, count);
        }
        views.addScales(slot(node), target, category, count);
    }

    /** Brings the categories of each pattern to the smallest scale that one of them has. */
    private void scaleAlike(Views views, int slot, int[] scales, int count) {
        for (int category = 0; category < categoryCount; category++) {
            views.writableScales(slot, category);
        }
        double[][] planes = views.planes(slot);
        for (int i = 0; i < count; i++) {
            int smallest = Integer.MAX_VALUE;
            for (int category = 0; category < categoryCount; category++) {
                smallest = Math.min(smallest, views.scales(slot, category)[i]);
            }
            scales[i] = smallest;
            for (int category = 0; category < categoryCount; category++) {
                int excess = views.scales(slot, category)[i] - smallest;
                if (excess > 0) {
                    // Beyond eight times the threshold any double is 0, and the exponent would overflow.
                    double factor = Math.scalb(1.0, Math.min(excess, 8) * ViewKernels.LOG2_SCALE_THRESHOLD);
                    for (int state = 0; state < STATES; state++) {
                        planes[category * STATES + state][i] *= factor;
                    }
                }
            }
        }
    }
}
