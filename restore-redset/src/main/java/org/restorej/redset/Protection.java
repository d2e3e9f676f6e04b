package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.restorej.redset.protocol.RankFiles;
import org.restorej.redset.protocol.RedsetChannel;

/**
 * What the ranks see of the files that protect a directory, by names and descriptors only; the same on all ranks.
 *
 * @param fewestFiles of the rank with fewest
 * @param mostFiles of the rank with most
 * @param fewestWriters how many processes protected them together, by the descriptor that says least; 0 without one
 * @param mostWriters the same, by the descriptor that says most
 */
record Protection(long fewestFiles, long mostFiles, long fewestWriters, long mostWriters) {
    /** Looks. Called by all ranks. */
    static Protection of(RedsetChannel channel, RankFiles own) {
        long[] found = new long[4];
        channel.step("restart", () -> {
            long count = count(own);
            long writers = own.writers();
            found[0] = count;
            found[1] = -count;
            found[2] = writers == 0 ? Long.MAX_VALUE : writers;
            found[3] = -writers;
            channel.least(found);
        });
        return new Protection(found[0], -found[1], found[2] == Long.MAX_VALUE ? 0 : found[2], -found[3]);
    }

    /** What can't be listed counts as lost. */
    private static long count(RankFiles own) {
        try {
            return own.protectingFiles().size();
        } catch (IOException | UncheckedIOException unreadable) {
            return 0;
        }
    }

    /** Whether all descriptors that are left are of so many processes. */
    boolean isOfAsMany(int processes) {
        return fewestWriters == processes && mostWriters == processes;
    }

    /** Whether no rank has fewer files than another. */
    boolean isAlike() {
        return fewestFiles == mostFiles;
    }
}
