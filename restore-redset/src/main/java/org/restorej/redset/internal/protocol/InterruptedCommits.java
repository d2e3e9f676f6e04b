package org.restorej.redset.internal.protocol;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.format.CommitJournal;

/**
 * Completes or aborts the commit of an earlier run whose processes were all killed at once. All ranks move to the
 * new files, or all back to the old ones. {@link FileCommit} says why the journals decide that rightly.
 */
final class InterruptedCommits {
    private static final char SEPARATOR = ' ';

    private InterruptedCommits() {}

    /**
     * What the journal of a rank says, as a text for all ranks. Reads the journal, before anything else changes files.
     *
     * @param own the rank's commit
     */
    static String describe(FileCommit own) {
        own.load();
        CommitJournal journal = own.journal();
        return journal == null ? "" : describe(own.stage(), journal.commit());
    }

    /**
     * As the other, but ignores the journal of another number of processes.
     *
     * @param ranks how many they must have been
     */
    static String describe(FileCommit own, int ranks) {
        String told = describe(own);
        CommitJournal journal = own.journal();
        return journal != null && journal.ranks() == ranks ? told : "";
    }

    /**
     * Completes or aborts what the journals of all ranks say. Called by all ranks.
     *
     * @param operation what it is part of, for messages
     * @param own the rank's commit, loaded
     * @param starts of every rank, by rank
     * @return whether there was anything
     */
    static boolean settle(RedsetChannel channel, String operation, FileCommit own, List<StartMessage> starts) {
        List<String> told = starts.stream().map(StartMessage::interrupted).toList();
        if (told.stream().allMatch(String::isEmpty)) {
            return false;
        }
        String mine = told.get(channel.rank());
        channel.stepOfEverybody(operation, () -> {
            CommitJournal journal = own.journal();
            if (!mine.isEmpty() && journal != null) {
                decision(journal.commit(), told).apply(own);
            }
        });
        // Not before all have moved, failed ones too: the others' journals decide as long as one of them is there.
        channel.localStep(operation, () -> {
            if (!mine.isEmpty()) {
                own.end();
            }
        });
        return true;
    }

    private static String describe(FileCommit.Stage stage, UUID commit) {
        return stage.name() + SEPARATOR + commit;
    }

    private static FileCommit.Decision decision(UUID commit, List<String> told) {
        return new FileCommit.Decision(Stream.of(FileCommit.Stage.values())
                .filter(stage -> told.contains(describe(stage, commit))).toList());
    }
}
