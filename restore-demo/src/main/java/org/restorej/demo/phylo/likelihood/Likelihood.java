package org.restorej.demo.phylo.likelihood;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.phylo.alignment.Nucleotides;
import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.demo.phylo.model.Model;
import org.restorej.demo.phylo.tree.Tree;
import org.restorej.comm.collective.ReproducibleSums;

/**
 * The log-likelihood of one PE's site patterns on a tree whose branch lengths and model may change.
 *
 * <p>
 * Patterns are copied out of blocks of the store as they come, at the start and again after failures, and never leave.
 * {@link #logLikelihood()} needs a work space of a view of every inner node whatever the number of patterns;
 * {@link #selectBranch} keeps a view of every inner node and pattern, that is {@code 32 * categories * (taxa - 1)}
 * bytes a pattern, allocated when first used. Otherwise nothing is allocated in steady state. For one thread.
 */
public final class Likelihood {
    /**
     * Shorter branches are taken to have this length, as in IQ-TREE: with none at all, contradicting data are
     * impossible.
     */
    public static final double MIN_BRANCH_LENGTH = 1e-6;

    private final PatternLayout layout;
    private final List<PatternGroup> groups = new ArrayList<>();
    private long patternCount;
    private final BranchMatrices matrices;
    private final TreeEvaluation evaluation;
    private final BranchViews branchViews;
    private final ReproducibleSums own = new ReproducibleSums(1);
    private int selectedBranch = -1;

    /**
     * A likelihood without patterns.
     *
     * @param tree tips numbered as the bytes of a block, see {@link Tree#alignedTo}
     * @param model may later be replaced by others with as many categories
     */
    public Likelihood(Tree tree, Model model) {
        layout = new PatternLayout(tree.tipCount());
        matrices = new BranchMatrices(tree, model);
        evaluation = new TreeEvaluation(matrices);
        branchViews = new BranchViews(matrices);
    }

    /**
     * Adds patterns; later results include them.
     *
     * @param blocks a whole number of blocks, as {@link PatternLayout} has them; not used after the call
     * @throws IllegalArgumentException when a block is no pattern: it wasn't what the store was given
     */
    public void append(MemorySegment blocks) {
        long blockCount = layout.blockCount(blocks);
        for (long block = 0; block < blockCount; block++) {
            append(blocks, block);
        }
        viewsStale();
    }

    private void append(MemorySegment blocks, long block) {
        int weight = layout.weight(blocks, block);
        if (weight < 1) {
            throw new IllegalArgumentException(
                    "block " + block + " of the segment is no site pattern: weight=" + weight);
        }
        if (groups.isEmpty() || groups.getLast().isFull()) {
            groups.add(new PatternGroup(layout.taxonCount()));
        }
        PatternGroup group = groups.getLast();
        int pattern = group.add(weight);
        for (int taxon = 0; taxon < layout.taxonCount(); taxon++) {
            byte mask = layout.mask(blocks, block, taxon);
            if (mask < 1 || mask > Nucleotides.UNKNOWN) {
                throw new IllegalArgumentException("block " + block + " of the segment is no site pattern: taxon="
                        + taxon + ", mask=" + mask);
            }
            group.setMask(taxon, pattern, mask);
        }
        patternCount++;
    }

    /** Number of patterns appended, in whose order {@link #logLikelihood(double[])} has its results. */
    public long patternCount() {
        return patternCount;
    }

    /** Current model. */
    public Model model() {
        return matrices.model();
    }

    /** Replaces the model by one with as many categories. */
    public void setModel(Model model) {
        matrices.setModel(model);
        viewsStale();
    }

    /** Replaces all branch lengths. */
    public void setBranchLengths(double[] lengths) {
        if (lengths.length != matrices.tree().branchCount()) {
            throw new IllegalArgumentException("lengths must be " + matrices.tree().branchCount()
                    + ", one a branch: length=" + lengths.length);
        }
        for (int branch = 0; branch < lengths.length; branch++) {
            matrices.setLength(branch, lengths[branch]);
        }
        viewsStale();
    }

    /** Replaces the length of one branch; cheap for the selected one. */
    public void setBranchLength(int branch, double length) {
        matrices.setLength(branch, length);
        if (branch != selectedBranch) {
            viewsStale();
        }
    }

    private void viewsStale() {
        selectedBranch = -1;
        branchViews.invalidate();
    }

    /** Adds weight times log-likelihood of each pattern to the first sum. */
    public void addLogLikelihood(ReproducibleSums sums) {
        evaluation.logLikelihood(groups, sums, null);
    }

    /** Sum of weight times log-likelihood over all patterns of this PE; 0 when there are none. */
    public double logLikelihood() {
        return logLikelihood(null);
    }

    /**
     * The same, and the log-likelihood of each pattern, not weighted.
     *
     * @param perPattern takes {@link #patternCount} numbers, in order of appending
     */
    public double logLikelihood(double @Nullable [] perPattern) {
        own.clear();
        evaluation.logLikelihood(groups, own, perPattern);
        return own.value(0);
    }

    /**
     * Chooses the branch for {@link #addDerivatives}. Branches close to each other are best chosen one after the other.
     */
    public void selectBranch(int branch) {
        branchViews.select(branch, groups);
        selectedBranch = branch;
    }

    /**
     * Adds each pattern's log-likelihood and its first and second derivative by the length of the selected branch, were
     * it {@code length}, to three sums.
     *
     * @param length of the selected branch; the current one doesn't change
     */
    public void addDerivatives(double length, ReproducibleSums sums) {
        if (selectedBranch < 0) {
            throw new IllegalStateException("no branch is selected, or what it was selected for has changed");
        }
        branchViews.derivatives(Math.max(length, MIN_BRANCH_LENGTH), groups, sums);
    }
}
