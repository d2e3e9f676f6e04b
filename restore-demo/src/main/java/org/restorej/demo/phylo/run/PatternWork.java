package org.restorej.demo.phylo.run;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.demo.phylo.likelihood.Likelihood;
import org.restorej.demo.phylo.optimize.ModelState;
import org.restorej.demo.phylo.optimize.Optimizer;
import org.restorej.demo.phylo.optimize.ReducedLikelihood;
import org.restorej.demo.phylo.optimize.SumOverPes;

/** One PE's patterns and what it computes of them. Patterns come, at the start and after failures, and stay. */
final class PatternWork {
    private final Likelihood likelihood;
    private final ReducedLikelihood reduced;
    private final Optimizer optimizer;
    private final ModelState start;
    /** The blocks in the order in which the likelihood has them. */
    private final List<BlockRange> order = new ArrayList<>();

    PatternWork(Analysis analysis, SumOverPes sumOverPes) {
        likelihood = new Likelihood(analysis.tree(), analysis.model());
        reduced = new ReducedLikelihood(likelihood, sumOverPes);
        optimizer = new Optimizer(analysis.tree(), reduced);
        start = ModelState.start(analysis.tree().lengths(), analysis.model().alpha());
    }

    /** What both modes start from. */
    ModelState start() {
        return start;
    }

    /** Takes patterns over, as the store has them: a copy is made. */
    void append(BlockRanges blocks, MemorySegment bytes) {
        if (blocks.isEmpty()) {
            return;
        }
        likelihood.append(bytes);
        order.addAll(blocks.runs());
    }

    /** Number of patterns of this PE. */
    long patternCount() {
        return likelihood.patternCount();
    }

    /** One iteration; collective by its sums. */
    ModelState iterate(Mode mode, ModelState state) {
        return switch (mode) {
            case OPTIMIZE -> optimizer.iterate(state);
            case EVALUATE -> {
                reduced.load(state);
                yield new ModelState(state.branchLengths(), state.alpha(), reduced.logLikelihood());
            }
        };
    }

    /** Writes the log-likelihoods of this PE's patterns to their blocks' places in an array of all. Local. */
    void logLikelihoods(ModelState state, double[] ofAllBlocks) {
        reduced.load(state);
        double[] mine = new double[Math.toIntExact(likelihood.patternCount())];
        likelihood.logLikelihood(mine);
        int done = 0;
        for (BlockRange run : order) {
            System.arraycopy(mine, done, ofAllBlocks, Math.toIntExact(run.first()), Math.toIntExact(run.count()));
            done += (int) run.count();
        }
    }
}
