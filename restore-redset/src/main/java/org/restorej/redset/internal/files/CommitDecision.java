package org.restorej.redset.internal.files;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * How an interrupted commit ends, by the journals that are left.
 *
 * @param commit which
 * @param stages of the ranks whose journals are there
 */
public record CommitDecision(UUID commit, List<CommitStage> stages) {
    /** Copies the list. */
    public CommitDecision {
        stages = List.copyOf(stages);
    }

    /** Whether all ranks move on to the new files; otherwise all move back to the old ones. */
    public boolean completes() {
        return stages.contains(CommitStage.DECIDED) && stages.stream().noneMatch(CommitStage::isGivenUp);
    }

    /** Whether some rank may have moved files; otherwise all old files are still in their places. */
    public boolean mayHaveMoved() {
        return stages.stream().anyMatch(stage -> stage != CommitStage.STAGED);
    }

    /**
     * Completes or withdraws the commit on one rank.
     *
     * @return whether anything was left to do
     */
    public boolean apply(FileCommit ofRank) throws IOException {
        return completes() ? ofRank.complete() : ofRank.withdraw();
    }
}
