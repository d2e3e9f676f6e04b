package org.restorej.redset;

import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.protocol.RankFiles;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * What the ranks see of the files that protect a directory, by names and descriptors only; the same on all ranks.
 *
 * @param isThere whether anything protects files of any rank, or was about to
 * @param fewestFiles of the rank with fewest
 * @param maxFiles of the rank with most
 * @param fewestWriters how many processes protected them together, by the descriptor that says least; 0 without one
 * @param maxWriters the same, by the descriptor that says most
 * @param fewestCommitters how many processes were killed in the middle of protecting them, by the journal that says
 *        least; 0 without one
 * @param maxCommitters the same, by the journal that says most
 */
record ProtectionState(boolean isThere, long fewestFiles, long maxFiles, long fewestWriters, long maxWriters,
        long fewestCommitters, long maxCommitters) {
    /**
     * Looks. Called by all ranks.
     *
     * @param committers of the journal that this rank sees; 0 without one
     */
    static ProtectionState of(RedsetChannel channel, RankFiles own, int committers) {
        return channel.compute("restart", () -> {
            long count = own.protectingFiles().size();
            long writers = own.writers();
            boolean isThere = committers > 0 || DirectoryEntries.namesOf(own.directory()).stream()
                    .anyMatch(name -> RedsetFileNames.rankOf(own.namePrefix(), name).isPresent());
            long[] found = {count, -count, minOf(writers), -writers, minOf(committers), -committers,
                    isThere ? 0 : 1};
            channel.least(found);
            return new ProtectionState(found[6] == 0, found[0], -found[1], found[3] == 0 ? 0 : found[2], -found[3],
                    found[5] == 0 ? 0 : found[4], -found[5]);
        });
    }

    /** Keeps ranks without any from being the least. */
    private static long minOf(long processes) {
        return processes == 0 ? Long.MAX_VALUE : processes;
    }

    /** Whether all descriptors that are left are of so many processes. */
    boolean isOfAsMany(int processes) {
        return fewestWriters == processes && maxWriters == processes;
    }

    /** Whether a journal is left, of any number of processes. */
    boolean isInterrupted() {
        return maxCommitters > 0;
    }

    /**
     * Whether journals are left, all of so many processes. As many processes can complete or undo what the journals
     * say.
     */
    boolean isInterruptedIn(int processes) {
        return fewestCommitters == processes && maxCommitters == processes;
    }

    /** Whether journals are left that only another number of processes can settle, and no descriptor says how many. */
    boolean isForOthersToSettle(int processes) {
        return isInterrupted() && maxWriters == 0 && !isInterruptedIn(processes);
    }

    /** Whether all ranks have equally many files. */
    boolean isAlike() {
        return fewestFiles == maxFiles;
    }
}
