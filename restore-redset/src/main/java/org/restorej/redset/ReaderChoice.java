package org.restorej.redset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.restorej.redset.blocks.BlockFile;
import org.restorej.redset.blocks.CheckpointFiles;
import org.restorej.redset.protocol.RedsetChannel;

/**
 * Which PE reads which file of a checkpoint: one that sees it. Files that nobody sees are computed anew by the PE that
 * sees most of the redundancy.
 */
final class ReaderChoice {
    private static final long NOBODY = Long.MAX_VALUE;

    private final RedsetChannel channel;
    private final CheckpointFiles files;
    private int writers;
    /** By writer: how many ranks beyond the writer, modulo the number of PEs, its reader is. Spreads shared directories. */
    private long[] distances = {};

    private boolean protectedAnywhere;

    private ReaderChoice(RedsetChannel channel, CheckpointFiles files) {
        this.channel = channel;
        this.files = files;
    }

    /** Chooses. Called by all PEs. */
    static ReaderChoice of(RedsetChannel channel, CheckpointFiles files) {
        ReaderChoice choice = new ReaderChoice(channel, files);
        choice.choose();
        if (!choice.isComplete()) {
            choice.rebuildOnOne();
            choice.choose();
        }
        return choice;
    }

    private void choose() {
        channel.step("load", () -> {
            files.takeOnly(-channel.least(-files.savedMillis()));
            writers = (int) -channel.least(
                    -files.byWriter().values().stream().mapToInt(file -> file.origin().writers()).max().orElse(0));
            protectedAnywhere = channel.least(-files.redundancyFiles()) < 0;
        });
        channel.step("load", () -> {
            distances = new long[writers];
            Arrays.fill(distances, NOBODY);
            files.byWriter().keySet().forEach(
                    writer -> distances[writer] = Math.floorMod(channel.rank() - writer, channel.size()));
            channel.least(distances);
        });
    }

    private void rebuildOnOne() {
        long[] best = new long[1];
        channel.step("load", () -> {
            long fewer = (long) Integer.MAX_VALUE - files.redundancyFiles();
            best[0] = channel.least(fewer * channel.size() + channel.rank()) % channel.size();
        });
        channel.step("load", () -> {
            if (best[0] == channel.rank()) {
                files.rebuild();
            }
        });
    }

    /** Whether every file has a reader; the same on all PEs. */
    boolean isComplete() {
        return writers > 0 && Arrays.stream(distances).noneMatch(distance -> distance == NOBODY);
    }

    /** Whether a PE sees redundancy; where nobody does, saving the checkpoint was not done; the same on all PEs. */
    boolean isProtectedAnywhere() {
        return protectedAnywhere;
    }

    /** What is missing; the same on all PEs. */
    String problem() {
        if (writers == 0) {
            return "no PE sees a file of blocks, or enough redundancy to rebuild one";
        }
        SortedSet<Integer> missing = new TreeSet<>();
        for (int writer = 0; writer < writers; writer++) {
            if (distances[writer] == NOBODY) {
                missing.add(writer);
            }
        }
        return "of the files of " + writers + " ranks no PE sees those of " + missing
                + " whole, and no PE sees enough of their redundancy sets to rebuild them";
    }

    long savedMillis() {
        return files.savedMillis();
    }

    /** The files that this PE reads. */
    List<BlockFile> mine() {
        List<BlockFile> mine = new ArrayList<>();
        files.byWriter().forEach((writer, file) -> {
            if (distances[writer] == Math.floorMod(channel.rank() - writer, channel.size())) {
                mine.add(file);
            }
        });
        return mine;
    }

    /** Checks that the files that this PE reads are of such a store. */
    void check(long blocks, boolean variable, long blockSizeBytes) throws IOException {
        for (BlockFile file : mine()) {
            boolean sizesFit = variable ? file.isVariable() : file.blockSizeBytes() == blockSizeBytes;
            if (file.storeBlocks() != blocks || !sizesFit) {
                throw new IOException("the checkpoint has " + file.storeBlocks() + " blocks of "
                        + (file.isVariable() ? "different sizes" : file.blockSizeBytes() + " bytes")
                        + ", and the store is for " + blocks + " of "
                        + (variable ? "different sizes" : blockSizeBytes + " bytes"));
            }
        }
    }
}
