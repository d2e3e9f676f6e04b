package org.restorej.redset.internal.protocol;

import java.nio.file.Path;
import java.util.List;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.format.KvTree;

/** Removes all that protects the files of all ranks, and what interrupted operations have left. */
public final class RemoveOperation {
    private static final String NAME = "unapply";

    private final RedsetChannel channel;
    private final RankFiles files;

    /**
     * Prepares an operation; changes nothing.
     *
     * @param files of this rank
     */
    public RemoveOperation(RedsetChannel channel, RankFiles files) {
        this.channel = channel;
        this.files = files;
    }

    /** Removes protection. Called by all ranks. */
    public void run() {
        FileCommit commit = files.commit();
        List<StartMessage> told = StartMessage.exchange(channel, NAME,
                () -> new StartMessage(InterruptedCommits.describe(commit), 0, KvTree.EMPTY));
        InterruptedCommits.settle(channel, NAME, commit, told);
        channel.localStep(NAME, () -> {
            for (Path path : files.protectingFiles()) {
                files.operations().delete(path);
            }
            commit.removeLeftovers();
            commit.removeSpare();
        });
    }
}
