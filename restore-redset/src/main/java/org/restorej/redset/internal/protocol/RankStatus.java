package org.restorej.redset.internal.protocol;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.sets.SetSurvey;

/**
 * The result of a survey for one rank, as a message to all others.
 *
 * @param missing whether its files have to be rebuilt, or it is unknown whether they are right
 * @param verified whether its contents could be compared with checksums
 * @param rewrites whether it rewrites only small files
 * @param lost whether its set can't be rebuilt
 * @param message the losses, in the status of the first member of a lost set; otherwise empty
 */
public record RankStatus(boolean missing, boolean verified, boolean rewrites, boolean lost, String message) {
    /** Limits the messages, since all ranks get those of all sets. */
    private static final int MAX_CHARS = 20_000;

    static RankStatus of(SetSurvey survey, SetMembers members, Descriptor own, boolean verified,
            boolean rewrites) {
        boolean lost = !survey.canRebuild();
        String message = lost && own.rank() == 0 ? describe(survey, members, own) : "";
        return new RankStatus(survey.missing().get(own.rank()) || survey.disagrees(), verified, rewrites, lost,
                message.substring(0, Math.min(message.length(), MAX_CHARS)));
    }

    private static String describe(SetSurvey survey, SetMembers members, Descriptor own) {
        SortedMap<Integer, String> losses = new TreeMap<>();
        survey.losses().forEach(
                (member, loss) -> losses.put(members.worldRanks().get(member), String.join(", ", loss)));
        if (survey.disagrees()) {
            return "the set of ranks " + members.worldRanks() + ": " + ReductionChains.DISAGREES + said(losses);
        }
        String what = survey.description() == null
                ? survey.problem()
                : own.scheme() + " can't rebuild " + (losses.size() == 1 ? "this one" : "all of these");
        return "the set of ranks " + members.worldRanks() + " has lost ranks " + losses.keySet() + ", and " + what
                + said(losses);
    }

    private static String said(SortedMap<Integer, String> losses) {
        return losses.isEmpty()
                ? ""
                : ": " + losses.entrySet().stream().map(loss -> "rank " + loss.getKey() + ": " + loss.getValue())
                        .collect(Collectors.joining("; "));
    }

    KvTree toTree() {
        return KvTree.builder().put("MISSING", missing ? 1 : 0).put("VERIFIED", verified ? 1 : 0)
                .put("REWRITES", rewrites ? 1 : 0).put("LOST", lost ? 1 : 0).putText("MESSAGE", message).build();
    }

    static RankStatus read(KvTree tree) throws FormatException {
        TreeFields fields = new TreeFields("status", tree);
        return new RankStatus(fields.integer("MISSING", 0, 1) == 1, fields.integer("VERIFIED", 0, 1) == 1,
                fields.integer("REWRITES", 0, 1) == 1, fields.integer("LOST", 0, 1) == 1, fields.longText("MESSAGE"));
    }

    boolean needsWriting() {
        return missing || rewrites;
    }

    /** Throws an exception on all ranks if a set is lost. */
    static void requireRecoverable(List<RankStatus> statuses) {
        if (statuses.stream().anyMatch(RankStatus::lost)) {
            throw new IrrecoverableFilesException(statuses.stream().map(RankStatus::message)
                    .filter(message -> !message.isEmpty()).collect(Collectors.joining("; ")),
                    ranksOf(statuses, status -> status.lost() && status.missing()));
        }
    }

    /** The ranks whose status matches, ascending. */
    public static SortedSet<Integer> ranksOf(List<RankStatus> statuses, Predicate<RankStatus> which) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (int rank = 0; rank < statuses.size(); rank++) {
            if (which.test(statuses.get(rank))) {
                ranks.add(rank);
            }
        }
        return ranks;
    }
}
