package org.restorej.redset.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.restorej.redset.files.CommitDecision;
import org.restorej.redset.files.CommitStage;
import org.restorej.redset.files.FileCommit;
import org.restorej.redset.format.CommitJournal;

/**
 * Brings to an end what the processes of an earlier run, all killed at once, were in the middle of: all ranks move to the
 * new files, or all back to the old ones. See {@link FileCommit} for why that can be told.
 */
final class InterruptedCommits {
    private static final char SEPARATOR = ' ';

    private InterruptedCommits() {}

    /**
     * Settles what the journals of all ranks tell of. Called by all ranks, before anything else is done to the files.
     *
     * @param operation what it is part of, for messages
     * @param own the rank's part; its journal is read here
     * @param sameRanksOnly whether what another number of processes was in the middle of is left alone
     */
    static void settle(RedsetChannel channel, String operation, FileCommit own, boolean sameRanksOnly) {
        List<String> told = new ArrayList<>();
        channel.step(operation, () -> {
            own.load();
            byte[] mine = describe(own, sameRanksOnly ? channel.size() : -1).getBytes(StandardCharsets.UTF_8);
            for (byte[] each : channel.allGather(mine)) {
                told.add(new String(each, StandardCharsets.UTF_8));
            }
        });
        if (told.stream().allMatch(String::isEmpty)) {
            return;
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
    }

    /** Stage and name of a commit, or nothing. */
    private static String describe(FileCommit own, int ranks) {
        CommitJournal journal = own.journal();
        return journal == null || (ranks >= 0 && journal.ranks() != ranks)
                ? ""
                : describe(own.stage(), journal.commit());
    }

    private static String describe(CommitStage stage, UUID commit) {
        return stage.name() + SEPARATOR + commit;
    }

    private static CommitDecision decision(UUID commit, List<String> told) {
        return new CommitDecision(commit, Stream.of(CommitStage.values())
                .filter(stage -> told.contains(describe(stage, commit))).toList());
    }
}
