package org.restorej.redset;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.restorej.redset.internal.blocks.BlockFile;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Assigns each file of a checkpoint to one of the ranks that see it. All files are of one save: the one that was chosen
 * before, or the last one of which any rank sees a file.
 */
final class ReaderChoice {
    private static final long NOBODY = Long.MAX_VALUE;
    private static final long NEVER = -1;
    /** Number of writers that are handled at once; bounds the memory, whatever number of writers a file claims. */
    private static final int WINDOW = 1 << 16;
    private static final int SHOWN_RANKS = 20;

    private final RedsetChannel channel;
    private final CheckpointFiles files;
    private int writers;
    private final BitSet missing = new BitSet();
    private final List<BlockFile> mine = new ArrayList<>();
    private boolean protectedAnywhere;

    private ReaderChoice(RedsetChannel channel, CheckpointFiles files) {
        this.channel = channel;
        this.files = files;
    }

    /** Assigns the existing files. Called by all ranks. */
    static ReaderChoice of(RedsetChannel channel, CheckpointFiles files) {
        ReaderChoice choice = new ReaderChoice(channel, files);
        choice.choose();
        return choice;
    }

    private void choose() {
        Optional<Origin.SaveId> seen = files.chosen().or(files::newest);
        channel.step("load", () -> {
            long millis = channel.max(seen.map(Origin.SaveId::savedMillis).orElse(NEVER));
            writers = (int) channel
                    .max(seen.filter(save -> save.savedMillis() == millis).map(Origin.SaveId::writers)
                            .orElse(0));
            protectedAnywhere = channel.max(files.redundancyFiles()) > 0;
            if (writers > 0) {
                files.choose(new Origin.SaveId(millis, writers));
            }
        });
        for (int from = 0; from < writers; from += WINDOW) {
            choose(from, Math.min(writers, from + WINDOW));
        }
    }

    /**
     * Distance of a reader from the writer, modulo the number of ranks; spreads the files of shared directories over ranks.
     */
    private long distance(int writer) {
        return Math.floorMod(channel.rank() - writer, channel.size());
    }

    private void choose(int from, int to) {
        channel.step("load", () -> {
            long[] distances = new long[to - from];
            for (int writer = from; writer < to; writer++) {
                distances[writer - from] = files.byWriter().containsKey(writer) ? distance(writer) : NOBODY;
            }
            channel.min(distances);
            for (int writer = from; writer < to; writer++) {
                BlockFile file = files.byWriter().get(writer);
                if (distances[writer - from] == NOBODY) {
                    missing.set(writer);
                } else if (file != null && distances[writer - from] == distance(writer)) {
                    mine.add(file);
                }
            }
        });
    }

    /** Whether every file has a reader; the same on all ranks. */
    boolean isComplete() {
        return writers > 0 && missing.isEmpty();
    }

    /** Whether any rank sees redundancy; otherwise the save was never completed. The same on all ranks. */
    boolean isProtectedAnywhere() {
        return protectedAnywhere;
    }

    /** A description of what is missing; the same on all ranks. */
    String problem() {
        if (writers == 0) {
            return "no rank sees a file of blocks, or enough redundancy to rebuild one";
        }
        String more = missing.cardinality() > SHOWN_RANKS ? ", of " + missing.cardinality() + " in all" : "";
        String shown = missing.stream().limit(SHOWN_RANKS).mapToObj(Integer::toString)
                .collect(Collectors.joining(", ", "[", "]"));
        return "of the files of " + writers + " ranks, none sees those of " + shown + more
                + " whole, and all ranks together don't see enough of their redundancy sets to rebuild them";
    }

    /** The files that this rank reads. */
    List<BlockFile> mine() {
        return mine;
    }

    /**
     * The difference between a program's description and those of the files that this rank reads; empty if there is none.
     */
    Optional<String> differenceFrom(Description description) {
        return mine.stream().flatMap(file -> file.header().description().difference(description).stream())
                .findFirst();
    }

    /** The difference between a store and the files that this rank reads; empty if there is none. */
    Optional<String> misfit(long blocks, boolean variable, long blockSizeBytes) {
        return mine.stream().map(BlockFile::header).filter(file -> file.storeBlocks() != blocks
                || (variable ? !file.isVariable() : file.blockSizeBytes() != blockSizeBytes)).findFirst()
                .map(file -> "the checkpoint has " + file.storeBlocks() + " blocks of "
                        + (file.isVariable() ? "different sizes" : file.blockSizeBytes() + " bytes")
                        + ", and the store is for " + blocks + " of "
                        + (variable ? "different sizes" : blockSizeBytes + " bytes"));
    }
}
