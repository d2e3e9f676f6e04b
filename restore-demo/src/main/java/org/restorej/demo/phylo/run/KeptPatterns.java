package org.restorej.demo.phylo.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.loop.LoopData;

/**
 * The patterns of a PE as its loop keeps them: no iteration changes them, and a PE only gains some, by a balancer that
 * takes none from the living.
 */
final class KeptPatterns extends LoopData {
    private final Analysis analysis;
    private final PatternWork work;

    KeptPatterns(ReStore store, Analysis analysis, PatternWork work) {
        super(store);
        this.analysis = analysis;
        this.work = work;
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
                work.append(BlockRanges.of(run), bytes);
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
        work.append(blocks.ids(), blocks.bytes());
    }
}
