package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.restorej.redset.internal.files.CommitDecision;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.format.CommitJournal;

/**
 * What all ranks were in the middle of when they were killed, as far as their journals are in one directory.
 *
 * @param commit which
 * @param ofRanks of the ranks whose journals are here; at least one
 */
record InterruptedCommit(UUID commit, List<FileCommit> ofRanks) {
    InterruptedCommit {
        ofRanks = List.copyOf(ofRanks);
    }

    CommitDecision decision() {
        return new CommitDecision(commit, ofRanks.stream().map(FileCommit::stage).toList());
    }

    /** Whether the journals of all ranks are here, so that no other decides anything. */
    boolean isWhole() {
        CommitJournal journal = ofRanks.get(0).journal();
        return journal != null && journal.ranks() == ofRanks.size();
    }

    /**
     * Moves all files on, or all back, and removes the journals when all are here.
     *
     * @return the journals of ranks whose files were moved
     */
    List<Path> settle() throws IOException {
        boolean whole = isWhole();
        CommitDecision decision = decision();
        List<Path> moved = new ArrayList<>();
        for (FileCommit ofRank : ofRanks) {
            if (decision.apply(ofRank)) {
                moved.add(ofRank.journalPath());
            }
        }
        if (whole) {
            for (FileCommit ofRank : ofRanks) {
                ofRank.end();
            }
        }
        return moved;
    }
}
