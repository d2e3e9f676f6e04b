package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.TreeFields;

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
    static String describe(FileCommit own) throws IOException {
        own.load();
        CommitJournal journal = own.journal();
        return journal == null ? "" : describe(own.stage(), journal);
    }

    /**
     * As the other, but ignores the journal of another number of processes.
     *
     * @param ranks how many they must have been
     */
    static String describe(FileCommit own, int ranks) throws IOException {
        String told = describe(own);
        CommitJournal journal = own.journal();
        return journal != null && journal.ranks() == ranks ? told : "";
    }

    /**
     * Refuses to settle what other ranks than these were doing: those that are not here may have a journal that decides.
     * Survivors of a job know better. Where a process fails, no rank goes on, so their commit is over. Called by all
     * ranks.
     *
     * @param operation what it is part of, for messages
     * @param own the rank's commit, loaded
     * @param starts of every rank, by rank
     * @throws org.restorej.redset.RedsetException on all ranks, when some rank has such a journal; nothing was changed
     */
    static void requireOwn(RedsetChannel channel, String operation, FileCommit own, List<StartMessage> starts) {
        if (starts.stream().allMatch(start -> isOwn(channel, start.interrupted()))) {
            return;
        }
        channel.localStep(operation, () -> {
            CommitJournal journal = own.journal();
            if (journal != null && !isOwn(channel, describe(own.stage(), journal))) {
                InterruptedCommit commit = new InterruptedCommit(List.of(own));
                throw new IOException(commit.obstacle(channel.size()) + String.join(" ", commit.directories())
                        + ". To give up all that is protected there: unapply");
            }
        });
    }

    private static boolean isOwn(RedsetChannel channel, String told) {
        if (told.isEmpty()) {
            return true;
        }
        int ranks = Integer.parseInt(told.substring(told.lastIndexOf(SEPARATOR) + 1));
        return channel.size() <= ranks && ranks <= channel.originalSize();
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
                decision(journal, told).apply(own);
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

    private static String describe(FileCommit.Stage stage, CommitJournal journal) {
        return stage.name() + SEPARATOR + journal.commit() + SEPARATOR + journal.ranks();
    }

    private static FileCommit.Decision decision(CommitJournal own, List<String> told) {
        return new FileCommit.Decision(Stream.of(FileCommit.Stage.values())
                .filter(stage -> told.contains(describe(stage, own))).toList());
    }

    /**
     * What a rank tells all others when an operation begins.
     *
     * @param interrupted what its journal tells of ({@link InterruptedCommits#describe}), or nothing
     * @param maxPieceBytes most bytes of a piece; the least of all ranks counts
     * @param content what else the operation needs of every rank
     */
    record StartMessage(String interrupted, long maxPieceBytes, KvTree content) {
        /**
         * Exchanges the messages of all ranks. Called by all ranks.
         *
         * @param operation what begins, for messages
         * @param own finds out what to tell; may complain of what the application has passed
         * @return of every rank, by rank
         */
        static List<StartMessage> exchange(RedsetChannel channel, String operation,
                RedsetChannel.Computation<StartMessage> own) {
            return channel.compute(operation, () -> {
                PostponedFailure failure = new PostponedFailure();
                Optional<StartMessage> mine = failure.attemptLocally(own);
                List<StartMessage> told = new ArrayList<>();
                // Who tells nothing complains, and then nobody gets further than this step.
                for (KvTree each : channel.allGather(mine.map(StartMessage::toTree).orElse(KvTree.EMPTY))) {
                    if (!each.isEmpty()) {
                        told.add(read(each));
                    }
                }
                failure.throwIfAny();
                return told;
            });
        }

        static long minPieceBytes(List<StartMessage> told) {
            return told.stream().mapToLong(StartMessage::maxPieceBytes).min().orElseThrow();
        }

        private KvTree toTree() {
            return KvTree.builder().putText("STOP", interrupted).put("MAX", maxPieceBytes).put("MORE", content).build();
        }

        private static StartMessage read(KvTree tree) throws FormatException {
            TreeFields fields = new TreeFields("message", tree);
            return new StartMessage(fields.longText("STOP"), fields.number("MAX", 0, Long.MAX_VALUE),
                    fields.child("MORE").tree());
        }
    }
}
