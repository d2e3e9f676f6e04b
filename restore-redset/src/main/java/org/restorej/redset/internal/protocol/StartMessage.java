package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.TreeFields;

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
