package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.protocol.InterruptedCommits.StartMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;

/** Removes all files that protect the files of all ranks, and the remains of interrupted operations. */
public final class RemoveOperation {
    private static final String NAME = "unapply";

    private final RedsetChannel channel;
    private final RankFiles files;
    private final JobLocks locks;

    /**
     * Prepares an operation; changes nothing.
     *
     * @param files of this rank
     * @param locks exclude other jobs from these files; remain the caller's
     */
    public RemoveOperation(RedsetChannel channel, RankFiles files, JobLocks locks) {
        this.channel = channel;
        this.files = files;
        this.locks = locks;
    }

    /** Removes the protection. Collective. */
    public void run() {
        FileCommit commit = files.commit();
        List<StartMessage> told = StartMessage.exchange(channel, NAME, locks,
                () -> new StartMessage(interrupted(commit), 0, KvTree.EMPTY));
        InterruptedCommits.settle(channel, NAME, commit, told);
        channel.localStep(NAME, () -> {
            List<Path> entries = DirectoryEntries.of(files.directory());
            for (Path path : files.protectingFiles(entries)) {
                files.operations().delete(path);
            }
            commit.removeLeftovers(entries);
            commit.removeSpare();
        });
    }

    /** Treats a damaged journal as none; it is removed with the other files. */
    private static String interrupted(FileCommit commit) throws IOException {
        try {
            return InterruptedCommits.describe(commit);
        } catch (FormatException damaged) {
            return "";
        }
    }
}
