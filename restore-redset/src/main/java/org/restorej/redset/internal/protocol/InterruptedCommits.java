package org.restorej.redset.internal.protocol;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.restorej.redset.internal.files.CommitDecision;
import org.restorej.redset.internal.files.CommitStage;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.format.CommitJournal;

/**
 * Brings to an end what the processes of an earlier run, all killed at once, were in the middle of: all ranks move to
 * the new files, or all back to the old ones. See {@link FileCommit} for why that can be told.
 */
final class InterruptedCommits {
    private static final char SEPARATOR = ' ';

    private InterruptedCommits() {}

    /**
     * What a rank's journal tells of, for all others; the journal is read here, before anything else is done to the
     * files.
     *
     * @param own the rank's part
     */
    static String describe(FileCommit own) {
        own.load();
        CommitJournal journal = own.journal();
        return journal == null ? "" : describe(own.stage(), journal.commit());
    }

    /**
     * As the other, but what another number of processes was in the middle of is left alone.
     *
     * @param ranks how many they must have been
     */
    static String describe(FileCommit own, int ranks) {
        String told = describe(own);
        CommitJournal journal = own.journal();
        return journal != null && journal.ranks() == ranks ? told : "";
    }

    /**
     * Settles what the journals of all ranks tell of. Called by all ranks.
     *
     * @param operation what it is part of, for messages
     * @param own the rank's part, loaded
     * @param told by every rank, by rank
     * @return whether there was anything
     */
    static boolean settle(RedsetChannel channel, String operation, FileCommit own, List<String> told) {
        if (told.stream().allMatch(String::isEmpty)) {
            return false;
        }
        String mine = told.get(channel.rank());
        channel.localStep(operation, () -> {
            CommitJournal journal = own.journal();
            if (!mine.isEmpty() && journal != null) {
                decision(journal.commit(), told).apply(own);
            }
        });
        // Not before all have moved: the others' journals decide as long as one of them is there.
        channel.localStep(operation, () -> {
            if (!mine.isEmpty()) {
                own.end();
            }
        });
        return true;
    }

    private static String describe(CommitStage stage, UUID commit) {
        return stage.name() + SEPARATOR + commit;
    }

    private static CommitDecision decision(UUID commit, List<String> told) {
        return new CommitDecision(commit, Stream.of(CommitStage.values())
                .filter(stage -> told.contains(describe(stage, commit))).toList());
    }
}
