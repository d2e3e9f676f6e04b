package org.restorej.demo.phylo.likelihood;

import org.restorej.demo.phylo.model.Model;
import org.restorej.demo.phylo.model.ReversibleRates;
import org.restorej.demo.phylo.tree.Tree;

/** Branch lengths, the model, and the transition probabilities that follow from them. */
final class BranchMatrices {
    private final Tree tree;
    private final double[] lengths;
    private final CategoryMatrices[] probabilities;
    /** Diagonal: frequencies of the states. */
    private final CategoryMatrices frequencies;
    /** Rows: eigenvectors times roots of frequencies. */
    private final CategoryMatrices eigenvectors;
    private Model model;

    BranchMatrices(Tree tree, Model model) {
        this.tree = tree;
        this.model = model;
        lengths = tree.lengths();
        int categories = model.categoryCount();
        probabilities = new CategoryMatrices[tree.branchCount()];
        for (int branch = 0; branch < probabilities.length; branch++) {
            int end = tree.firstEnd(branch);
            boolean atTip = tree.isTip(end) || tree.isTip(tree.otherEnd(branch, end));
            probabilities[branch] = new CategoryMatrices(categories, atTip);
        }
        frequencies = new CategoryMatrices(categories, true);
        eigenvectors = new CategoryMatrices(categories, true);
        setModel(model);
    }

    Model model() {
        return model;
    }

    double length(int branch) {
        return lengths[branch];
    }

    /** Replaces the model by one with as many categories. */
    void setModel(Model newModel) {
        if (newModel.categoryCount() != model.categoryCount()) {
            throw new IllegalArgumentException("a likelihood for " + model.categoryCount()
                    + " categories of rates can't have a model with " + newModel.categoryCount());
        }
        model = newModel;
        ReversibleRates substitution = newModel.substitution();
        for (int category = 0; category < newModel.categoryCount(); category++) {
            int base = category * CategoryMatrices.ENTRIES;
            for (int row = 0; row < CategoryMatrices.STATES; row++) {
                frequencies.entries[base + row * (CategoryMatrices.STATES + 1)] = substitution.frequency(row);
                for (int column = 0; column < CategoryMatrices.STATES; column++) {
                    eigenvectors.entries[base + row * CategoryMatrices.STATES + column] = substitution
                            .weightedVector(row, column);
                }
            }
        }
        frequencies.entriesChanged();
        eigenvectors.entriesChanged();
        for (int branch = 0; branch < lengths.length; branch++) {
            setLength(branch, lengths[branch]);
        }
    }

    void setLength(int branch, double length) {
        lengths[branch] = length;
        double used = Math.max(length, Likelihood.MIN_BRANCH_LENGTH);
        CategoryMatrices matrices = probabilities[branch];
        for (int category = 0; category < model.categoryCount(); category++) {
            model.substitution().transitionProbabilities(used * model.rate(category), matrices.entries,
                    category * CategoryMatrices.ENTRIES);
        }
        matrices.entriesChanged();
    }

    CategoryMatrices probabilities(int branch) {
        return probabilities[branch];
    }

    CategoryMatrices frequencies() {
        return frequencies;
    }

    CategoryMatrices eigenvectors() {
        return eigenvectors;
    }

    Tree tree() {
        return tree;
    }
}
