package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.protocol.RankFiles;

/**
 * What is left in a directory by processes that were killed while they protected it, as one rank sees it. Local.
 *
 * @param journal the file that tells of it
 * @param processes how many they were
 */
record InterruptedProtection(Path journal, int processes) {
    /** Looks for the journal of this rank, or, when it has none, for the first of another rank in the directory. */
    static Optional<InterruptedProtection> in(Path directory, RankFiles own) {
        FileCommit commit = own.commit();
        commit.load();
        Optional<InterruptedProtection> found = of(commit);
        if (found.isPresent() || !Files.isDirectory(directory)) {
            return found;
        }
        try {
            return FileCommit.interruptedIn(FileOperations.system(), directory).stream()
                    .flatMap(each -> of(each).stream()).findFirst();
        } catch (IOException | UncheckedIOException unreadable) {
            // What can't be listed counts as lost.
            return Optional.empty();
        }
    }

    private static Optional<InterruptedProtection> of(FileCommit commit) {
        CommitJournal journal = commit.journal();
        return journal == null
                ? Optional.empty()
                : Optional.of(new InterruptedProtection(commit.journalPath(), journal.ranks()));
    }

    /** Why another number of processes can't settle it. */
    String obstacle(int here) {
        return processes + " processes were killed while they protected it, as " + journal + " tells, and here are "
                + here
                + ": restart with as many, or have it brought to an end by one process that reaches all files: "
                + "bin/restore redset rebuild " + journal.getParent();
    }
}
