package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.TreeFields;

/**
 * Completes or rolls back the commit of an earlier run whose processes were all killed at once. All ranks get their new
 * files, or all their old ones. {@link FileCommit} explains why the journals determine which.
 */
final class InterruptedCommits {
    private static final char SEPARATOR = ' ';

    private InterruptedCommits() {}

    /**
     * The state in the journal of a rank, as a text for all ranks. Reads the journal before any file is changed.
     *
     * @param own the rank's commit
     */
    static String describe(FileCommit own) throws IOException {
        own.load();
        CommitJournal journal = own.journal();
        return journal == null
                ? ""
                : own.stage().name() + SEPARATOR + journal.commit() + SEPARATOR + journal.ranks();
    }

    /**
     * As {@link #describe(FileCommit)}, but ignores the journal of another number of processes.
     *
     * @param ranks the number of processes that counts
     */
    static String describe(FileCommit own, int ranks) throws IOException {
        String told = describe(own);
        CommitJournal journal = own.journal();
        return journal != null && journal.ranks() == ranks ? told : "";
    }

    /**
     * Rejects a commit of other ranks than these: a rank that is missing here may have the journal that decides.
     * Survivors of a job are an exception: the failure of a process stopped all ranks, so their commit has ended.
     * Collective.
     *
     * @param operation the operation that calls this, for messages
     * @param own the rank's commit, loaded
     * @param starts start messages by rank
     * @throws org.restorej.redset.RedsetException on all ranks if a rank has such a journal; nothing was changed
     */
    static void requireOwn(RedsetChannel channel, String operation, FileCommit own, List<StartMessage> starts) {
        if (starts.stream().allMatch(start -> isOwn(channel, start.interrupted()))) {
            return;
        }
        channel.localStep(operation, () -> {
            if (!isOwn(channel, starts.get(channel.rank()).interrupted())) {
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
     * Completes or rolls back the commit in the journals of all ranks. Collective.
     *
     * @param operation the operation that calls this, for messages
     * @param own the rank's commit, loaded
     * @param starts start messages by rank
     * @return whether there was a commit
     */
    static boolean settle(RedsetChannel channel, String operation, FileCommit own, List<StartMessage> starts) {
        List<String> told = starts.stream().map(StartMessage::interrupted).toList();
        if (told.stream().allMatch(String::isEmpty)) {
            return false;
        }
        String mine = told.get(channel.rank());
        channel.stepOfEverybody(operation, () -> {
            if (!mine.isEmpty()) {
                decision(mine, told).apply(own);
            }
        });
        // Only after all have moved, failed ones included: while one journal exists, it decides for the others.
        channel.localStep(operation, () -> {
            if (!mine.isEmpty()) {
                own.end();
            }
        });
        return true;
    }

    private static InterruptedCommit.Decision decision(String mine, List<String> told) {
        String ofCommit = mine.substring(mine.indexOf(SEPARATOR));
        return new InterruptedCommit.Decision(Stream.of(FileCommit.Stage.values())
                .filter(stage -> told.contains(stage.name() + ofCommit)).toList());
    }

    /**
     * The message of a rank to all others at the beginning of an operation.
     *
     * @param interrupted state of its journal ({@link InterruptedCommits#describe}), or empty
     * @param maxPieceBytes maximum bytes of a piece; the minimum over all ranks counts
     * @param content other data that the operation needs from every rank
     */
    record StartMessage(String interrupted, long maxPieceBytes, KvTree content) {
        /**
         * Exchanges the messages of all ranks. Collective.
         *
         * @param operation the operation that begins, for messages
         * @param locks are taken before {@code own} is called
         * @param own computes the message; may reject arguments of the application
         * @return the messages by rank
         */
        static List<StartMessage> exchange(RedsetChannel channel, String operation, JobLocks locks,
                RedsetChannel.Computation<StartMessage> own) {
            return channel.compute(operation, () -> {
                PostponedFailure failure = new PostponedFailure();
                locks.agree();
                byte[] mine = failure.attemptLocally(() -> {
                    locks.take();
                    return KvTreeBlock.encodeMessage(own.run().toTree());
                }).orElse(new byte[0]);
                List<StartMessage> told = new ArrayList<>();
                // A rank without a message throws, and then no rank gets beyond this step.
                for (KvTree each : KvTreeBlock.decodeMessages(channel.allGather(mine))) {
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
