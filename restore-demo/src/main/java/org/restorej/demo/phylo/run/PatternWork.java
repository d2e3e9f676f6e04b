package org.restorej.demo.phylo.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.demo.phylo.likelihood.Likelihood;
import org.restorej.demo.phylo.likelihood.ModelState;
import org.restorej.demo.phylo.likelihood.Optimizer;
import org.restorej.loop.LoopData;

/**
 * One PE's patterns as its loop keeps them, and what it computes of them. No iteration changes patterns, and a PE only
 * gains some, at the start and after failures, by a balancer that takes none from the living.
 */
final class PatternWork extends LoopData {
    private final Analysis analysis;
    private final Likelihood likelihood;
    private final Optimizer optimizer;
    private final ModelState start;
    /** The blocks in the order in which the likelihood has them. */
    private final List<BlockRange> order = new ArrayList<>();

    PatternWork(ReStore store, Analysis analysis, Consumer<ReproducibleSums> sumOverPes) {
        super(store);
        this.analysis = analysis;
        likelihood = new Likelihood(analysis.tree(), analysis.model());
        optimizer = new Optimizer(analysis.tree(), likelihood, sumOverPes);
        start = ModelState.start(analysis.tree().lengths(), analysis.model().alpha());
    }

    @Override
    protected boolean isConstant() {
        return true;
    }

    @Override
    protected void initialize(BlockRanges blocks) {
        PatternLayout layout = analysis.layout();
        BlockRanges gained = blocks.minus(ids());
        try (Arena arena = Arena.ofShared()) {
            for (BlockRange run : gained.runs()) {
                MemorySegment bytes = arena.allocate(run.count() * layout.blockSizeBytes(), Long.BYTES);
                layout.write(analysis.patterns(), run.first(), bytes);
                append(BlockRanges.of(run), bytes);
            }
        }
    }

    @Override
    protected Submission submission() {
        Submission submission = new Submission();
        ids().runs().forEach(run -> submission.add(run,
                (id, block) -> analysis.layout().write(analysis.patterns(), id, block)));
        return submission;
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges all) {
        append(blocks.ids(), blocks.bytes());
    }

    private void append(BlockRanges blocks, MemorySegment bytes) {
        if (!blocks.isEmpty()) {
            likelihood.append(bytes);
            order.addAll(blocks.runs());
        }
    }

    /** What both modes start from. */
    ModelState start() {
        return start;
    }

    /** Number of patterns of this PE. */
    long patternCount() {
        return likelihood.patternCount();
    }

    /** One iteration; collective by its sums. */
    ModelState iterate(Mode mode, ModelState state) {
        return switch (mode) {
            case OPTIMIZE -> optimizer.iterate(state);
            case EVALUATE -> optimizer.evaluate(state);
        };
    }

    /** Writes the log-likelihoods of this PE's patterns to their blocks' places in an array of all. Local. */
    void logLikelihoods(ModelState state, double[] ofAllBlocks) {
        optimizer.load(state);
        double[] mine = new double[Math.toIntExact(likelihood.patternCount())];
        likelihood.logLikelihood(mine);
        int done = 0;
        for (BlockRange run : order) {
            System.arraycopy(mine, done, ofAllBlocks, Math.toIntExact(run.first()), Math.toIntExact(run.count()));
            done += (int) run.count();
        }
    }
}
