package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.protocol.OwnMember;
import org.restorej.redset.internal.protocol.PostponedFailure;
import org.restorej.redset.internal.protocol.SetRecovery;
import org.restorej.redset.internal.sets.SetSurvey;

/**
 * Finds missing and damaged files of one set with a {@link SetRecovery} of one process that acts for all members.
 * Writes nothing. Not thread-safe; used once.
 */
final class SetInspector {
    private final SetParts parts;
    private final Path base;
    private final List<SetInspection.Damage> damages = new ArrayList<>();
    private final List<String> notes;
    /** Whether a redundancy file can't be read that may be intact. */
    private boolean isUnreachable;

    /**
     * Creates an inspection of one set.
     *
     * @param base directory to which relative names of data files refer, for messages
     */
    SetInspector(SetParts parts, Path base) {
        this.parts = parts;
        this.base = base;
        notes = new ArrayList<>(parts.notes());
    }

    /** Checks names and sizes, and contents if there is a kernel to recompute redundancy. */
    SetInspection inspect(@Nullable ErasureKernel contents) {
        try {
            return inspectReachable(contents);
        } catch (IOException unreachable) {
            damage(-1, String.valueOf(unreachable.getMessage()));
            return without(SetInspection.State.UNREACHABLE);
        }
    }

    private SetInspection inspectReachable(@Nullable ErasureKernel contents) throws IOException {
        parts.doubts().forEach(doubt -> damage(-1, doubt));
        SortedMap<Integer, RankRecord> records = new TreeMap<>();
        parts.members().forEach((rank, member) -> {
            records.putAll(Objects.requireNonNull(member.found()).header().byRank());
            requireLocatable(rank, member);
        });
        // Compared before a loop over ranks, whose number is only a claim of a file.
        if (records.size() < parts.place().ranks()) {
            damage(-1, (parts.place().ranks() - parts.members().size()) + " of " + parts.place().ranks()
                    + " members are missing, and no file describes all of them. There are only ranks "
                    + parts.members().values().stream().map(member -> member.place().worldRank()).toList()
                    + " of the job: give the directories of the others, too; if they are lost, "
                    + parts.place().scheme() + " can't rebuild them, and only an older checkpoint is left");
        }
        return damages.isEmpty() ? inspect(recoveryOf(records), contents) : lost();
    }

    private void requireLocatable(int rank, OwnMember member) {
        try {
            member.files().locate(Objects.requireNonNull(member.found()).header().own());
        } catch (IOException refused) {
            damage(rank, String.valueOf(refused.getMessage()));
        }
    }

    private SetRecovery recoveryOf(SortedMap<Integer, RankRecord> records) {
        SortedMap<Integer, OwnMember> all = new TreeMap<>(parts.members());
        records.forEach((rank, record) -> all.putIfAbsent(rank,
                new OwnMember(record.descriptor(), parts.lost(), null, false)));
        return SetRecovery.ofOneProcess(all);
    }

    private SetInspection inspect(SetRecovery set, @Nullable ErasureKernel contents) throws IOException {
        PostponedFailure failure = new PostponedFailure();
        set.survey(failure);
        failure.throwIfAny();
        if (set.survey().description() == null) {
            damage(-1, set.survey().problem());
            return lost();
        }
        try {
            set.verify();
        } catch (UnknownPlaceException unknown) {
            if (set.survey().canRebuild()) {
                List<Integer> ranks = lostRanks(set.survey());
                damage(-1, unknown.getMessage()
                        + (ranks.size() == 1 ? "" : "; lost are ranks " + ranks + ": --lost RANK=DIR for each"));
                return without(SetInspection.State.UNPLACED);
            }
            SetDescription described = Objects.requireNonNull(set.survey().description());
            damage(-1, set.survey().missing().cardinality() + " of " + described.ranks()
                    + " members are missing, of ranks " + lostRanks(set.survey()) + " of the job, and "
                    + described.scheme() + " can't rebuild all of these: only an older checkpoint is left");
            return lost();
        } catch (IOException refused) {
            damage(-1, String.valueOf(refused.getMessage()));
            return lost();
        }
        if (contents != null) {
            verify(set, contents);
        }
        return result(set);
    }

    private static List<Integer> lostRanks(SetSurvey survey) {
        SetDescription set = Objects.requireNonNull(survey.description());
        return survey.missing().stream().mapToObj(rank -> set.member(rank).descriptor().worldRank()).toList();
    }

    private static void verify(SetRecovery set, ErasureKernel kernel) throws IOException {
        boolean further = true;
        while (further && set.survey().canRebuild()) {
            PostponedFailure failure = new PostponedFailure();
            further = set.exchange(failure, () -> kernel, SetInspection.PIECE_BYTES, bytes -> {});
            failure.throwIfAny();
            set.tellContents();
        }
    }

    private SetInspection result(SetRecovery recovery) throws IOException {
        SetSurvey survey = recovery.survey();
        SetFormat format = recovery.format();
        List<MemberLocation> locations = IntStream.range(0, format.set().ranks()).mapToObj(recovery::location).toList();
        for (int rank = 0; rank < locations.size(); rank++) {
            int member = rank;
            Path redundancy = locations.get(rank).redundancy();
            List<String> losses = survey.losses().getOrDefault(rank, List.of());
            if (!parts.members().containsKey(rank)) {
                IOException unreadable = parts.unreadable().get(redundancy);
                losses = List.of("redundancy file " + redundancy
                        + (unreadable == null ? " is absent" : ": " + Unreachable.reason(unreadable)));
                if (unreadable != null && Unreachable.mayBeIntact(redundancy, unreadable)) {
                    losses = List.of(losses.getFirst() + ": it may be intact: move it away if it is to be rebuilt");
                    isUnreachable = true;
                }
            }
            losses.forEach(loss -> damage(member, loss));
            recovery.smallLosses(rank).forEach(loss -> damage(member, loss));
        }
        if (survey.disagrees()) {
            damage(-1, ReductionChains.DISAGREES);
        }
        tellWhatIsTrusted(format, survey, locations);
        SetInspection.State damaged = survey.canRebuild()
                ? SetInspection.State.REPAIRABLE
                : SetInspection.State.LOST;
        damaged = isUnreachable ? SetInspection.State.UNREACHABLE : damaged;
        return new SetInspection(parts.name(), parts.place(), format.set(), locations, survey.checksums(),
                survey.missing(), List.copyOf(damages), List.copyOf(notes),
                damages.isEmpty() ? SetInspection.State.WHOLE : damaged, recovery);
    }

    private void tellWhatIsTrusted(SetFormat format, SetSurvey survey, List<MemberLocation> locations) {
        List<Integer> unverified = IntStream.range(0, locations.size())
                .filter(rank -> !survey.checksums().containsKey(rank) && !format.recordsCrcs(rank)).boxed().toList();
        if (!unverified.isEmpty()) {
            notes.add(
                    "files of checksums of ranks " + unverified + " are absent, damaged or of another encoding: their "
                            + "contents are trusted, as redset does");
        }
        if (lacksRelativeFile(format.set(), locations)) {
            notes.add("recorded names of data files are relative, and were looked for in " + base
                    + ": --base DIR says where else they start");
        }
    }

    private static boolean lacksRelativeFile(SetDescription set, List<MemberLocation> locations) {
        for (int rank = 0; rank < set.ranks(); rank++) {
            for (int i = 0; i < locations.get(rank).files().size(); i++) {
                if (locations.get(rank).small().isPresent() && !set.member(rank).files().get(i).name().startsWith("/")
                        && Files.notExists(locations.get(rank).files().get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private SetInspection lost() {
        return without(SetInspection.State.LOST);
    }

    /** A set whose files can't be named. */
    private SetInspection without(SetInspection.State state) {
        return new SetInspection(parts.name(), parts.place(), null, List.of(), Collections.emptySortedMap(),
                new BitSet(), List.copyOf(damages), List.copyOf(notes), state, null);
    }

    private void damage(int rank, String message) {
        damages.add(new SetInspection.Damage(rank, message));
    }
}
