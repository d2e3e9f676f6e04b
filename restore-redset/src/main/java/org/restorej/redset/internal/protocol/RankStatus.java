package org.restorej.redset.internal.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.restorej.redset.FileRecovery;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.coding.SpareRedundancy;
import org.restorej.redset.internal.format.Descriptor;

/**
 * The result of a survey for one rank, as it tells all others.
 *
 * @param missing whether its files have to be rebuilt, or nothing tells whether they are right
 * @param verified whether its contents could be compared with checksums
 * @param rewrites whether it rewrites small files only
 * @param lost whether its set can't be rebuilt
 * @param message of the first member of a lost set: what is lost; else empty
 */
record RankStatus(boolean missing, boolean verified, boolean rewrites, boolean lost, String message) {
    /** A modified UTF-8 string has at most 65535 bytes, and a char at most 3. */
    private static final int MOST_CHARS = 20_000;

    static RankStatus of(SetSurvey survey, SetMembers members, Descriptor own, boolean verified,
            boolean rewrites) {
        boolean lost = !survey.canRebuild();
        String message = lost && members.rank() == 0 ? describe(survey, members, own) : "";
        return new RankStatus(survey.missing().get(members.rank()) || survey.disagrees(), verified, rewrites, lost,
                message.substring(0, Math.min(message.length(), MOST_CHARS)));
    }

    private static String describe(SetSurvey survey, SetMembers members, Descriptor own) {
        SortedMap<Integer, String> losses = new TreeMap<>();
        survey.losses().forEach((member, loss) -> losses.put(members.currentRank(member), loss));
        if (survey.disagrees()) {
            return "the set of ranks " + members.currentRanks() + ": " + SpareRedundancy.DISAGREES + said(losses);
        }
        String what = survey.description() == null
                ? "nobody is left who describes the files of all of them"
                : own.scheme() + " can't rebuild " + (losses.size() == 1 ? "this one" : "all of these");
        return "the set of ranks " + members.currentRanks() + " has lost ranks " + losses.keySet() + ", and " + what
                + said(losses);
    }

    private static String said(SortedMap<Integer, String> losses) {
        return losses.isEmpty()
                ? ""
                : ": " + losses.entrySet().stream().map(loss -> "rank " + loss.getKey() + ": " + loss.getValue())
                        .collect(Collectors.joining("; "));
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(missing);
            out.writeBoolean(verified);
            out.writeBoolean(rewrites);
            out.writeBoolean(lost);
            out.writeUTF(message);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static RankStatus decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new RankStatus(in.readBoolean(), in.readBoolean(), in.readBoolean(), in.readBoolean(), in.readUTF());
        }
    }

    boolean needsWriting() {
        return missing || rewrites;
    }

    /** Throws on all ranks when a set is lost. */
    static void requireRecoverable(List<RankStatus> statuses) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (int rank = 0; rank < statuses.size(); rank++) {
            if (statuses.get(rank).lost() && statuses.get(rank).missing()) {
                ranks.add(rank);
            }
        }
        if (statuses.stream().anyMatch(RankStatus::lost)) {
            throw new IrrecoverableFilesException(statuses.stream().map(RankStatus::message)
                    .filter(message -> !message.isEmpty()).collect(Collectors.joining("; ")), ranks);
        }
    }

    /** The result of a recovery in which nothing was lost. */
    static FileRecovery recovery(List<RankStatus> statuses) {
        SortedSet<Integer> rebuilt = new TreeSet<>();
        SortedSet<Integer> unverified = new TreeSet<>();
        for (int rank = 0; rank < statuses.size(); rank++) {
            if (statuses.get(rank).missing()) {
                rebuilt.add(rank);
            }
            if (!statuses.get(rank).verified()) {
                unverified.add(rank);
            }
        }
        return new FileRecovery(rebuilt, unverified);
    }
}
