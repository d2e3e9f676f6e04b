package org.restorej.redset.internal.files;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * What becomes of a commit that was interrupted, from the journals that are left.
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

    /** Whether some rank may have moved files; otherwise the old ones are all where they were. */
    public boolean mayHaveMoved() {
        return stages.stream().anyMatch(stage -> stage != CommitStage.STAGED);
    }

    /**
     * Carries it out for one rank.
     *
     * @return whether anything was left to do
     */
    public boolean apply(FileCommit part) throws IOException {
        return completes() ? part.complete() : part.withdraw();
    }
}
