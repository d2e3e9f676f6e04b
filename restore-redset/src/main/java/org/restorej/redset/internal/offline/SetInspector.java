package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.protocol.OwnMember;
import org.restorej.redset.internal.protocol.PostponedFailure;
import org.restorej.redset.internal.protocol.ProtectedFiles;
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
    /** Records of all members that a header describes, by rank. */
    private final SortedMap<Integer, RankRecord> records = new TreeMap<>();
    /** Members with a file that can't be reached and may be intact, by rank, with the reasons. */
    private final Map<Integer, String> unreachable = new TreeMap<>();
    /** Paths of described members, as far as they are known. */
    private final SortedMap<Integer, MemberLocation> locations = new TreeMap<>();
    /** Why it is unknown where the files of lost members go, or null. */
    private @Nullable UnknownPlaceException unplaced;

    /**
     * Creates an inspection of one set.
     *
     * @param base directory to which relative names of data files refer, for messages
     */
    SetInspector(SetParts parts, Path base) {
        this.parts = parts;
        this.base = base;
        notes = new ArrayList<>(parts.notes());
        parts.members().values().forEach(
                member -> records.putAll(Objects.requireNonNull(member.found()).header().byRank()));
        parts.unreadable().forEach((rank, file) -> {
            if (file.mayBeIntact()) {
                unreachable.put(rank, "redundancy file " + file
                        + ": it may be intact: move it away if it is to be rebuilt");
            }
        });
    }

    /**
     * Checks names and sizes, and contents if there is a kernel to recompute redundancy. If a member's contents can't
     * be reached, the others are inspected again without it.
     */
    SetInspection inspect(@Nullable ErasureKernel contents) {
        while (true) {
            damages.clear();
            try {
                return inspectReachable(contents);
            } catch (IOException failure) {
                int rank = memberWith(failure);
                String reason = String.valueOf(failure.getMessage());
                if (rank < 0 || unreachable.putIfAbsent(rank, reason) != null) {
                    damage(rank, reason);
                    return inspection(SetInspection.State.UNREACHABLE, null);
                }
            }
        }
    }

    /** The rank of the member one of whose files is the reason of a failure, or -1. */
    private int memberWith(IOException failure) {
        for (@Nullable
        Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof FileSystemException ofFile && ofFile.getFile() != null) {
                // As text: not every name can be made a path again in every locale.
                String file = ofFile.getFile();
                for (int rank : parts.members().keySet()) {
                    MemberLocation location = locations.get(rank);
                    if (location != null && (file.equals(location.redundancy().toString())
                            || location.files().stream().anyMatch(path -> file.equals(path.toString())))) {
                        return rank;
                    }
                }
            }
        }
        return -1;
    }

    private SetInspection inspectReachable(@Nullable ErasureKernel contents) throws IOException {
        parts.doubts().forEach(doubt -> damage(-1, doubt));
        records.forEach(this::locate);
        if (!damages.isEmpty()) {
            return inspection(SetInspection.State.LOST, null);
        }
        // Compared before a loop over ranks, whose number is only a claim of a file.
        if (records.size() < parts.place().ranks()) {
            return undescribed();
        }
        if (!locations.keySet().containsAll(parts.members().keySet())) {
            return inspection(stateByHeaders(), null);
        }
        SetRecovery set = recovery();
        PostponedFailure failure = new PostponedFailure();
        set.survey(failure);
        failure.throwIfAny();
        SetSurvey survey = set.survey();
        if (survey.description() == null) {
            damage(-1, survey.problem());
            return inspection(state(survey.missing(), false), null);
        }
        if (unplaced != null) {
            return unplaced(survey, String.valueOf(unplaced.getMessage()));
        }
        set.verify();
        if (contents != null) {
            verify(set, contents);
        }
        return result(set);
    }

    /** Determines the paths of a member's files. A name that is refused is damage. */
    private void locate(int rank, RankRecord record) {
        OwnMember member = parts.members().get(rank);
        try {
            locations.put(rank, (member == null ? parts.lost() : member.files()).locate(record));
        } catch (UnknownPlaceException unknown) {
            unplaced = unplaced == null ? unknown : unplaced;
        } catch (FileSystemException unknown) {
            unreachable.put(rank, String.valueOf(unknown.getMessage()));
        } catch (IOException refused) {
            damage(rank, String.valueOf(refused.getMessage()));
        }
    }

    private SetInspection undescribed() {
        int ranks = parts.place().ranks();
        int lacking = ranks - parts.members().size();
        SetInspection.State state = stateByHeaders();
        String which = "There are only ranks "
                + parts.members().values().stream().map(member -> member.place().worldRank()).toList() + " of the job";
        damage(-1, lacking + " of " + ranks + (state == SetInspection.State.LOST
                ? " members are missing, and no file describes all of them. " + which
                        + ": give the directories of the others, too; if they are lost, " + parts.place().scheme()
                        + " can't rebuild them, and only an older checkpoint is left"
                : " members are missing or can't be reached, and no file that can be read describes all of them. "
                        + which));
        return inspection(state, null);
    }

    /** The state of a set of which only the headers can be read. */
    private SetInspection.State stateByHeaders() {
        int ranks = parts.place().ranks();
        // Each file describes its member and as many others as it protects. Compared before a loop over ranks.
        if (ranks > (1L + parts.place().scheme().neighbours()) * (parts.members().size() + parts.unreadable().size())) {
            return SetInspection.State.LOST;
        }
        BitSet missing = new BitSet();
        missing.set(0, ranks);
        parts.members().keySet().forEach(missing::clear);
        return state(missing, false);
    }

    private SetRecovery recovery() {
        SortedMap<Integer, OwnMember> all = new TreeMap<>();
        parts.members().forEach((rank, member) -> all.put(rank, new OwnMember(member.place(),
                new SetParts.PlacedFiles(member.files(), member.files()::locate, this::losses), member.found(),
                member.unseen())));
        records.forEach((rank, record) -> all.putIfAbsent(rank,
                new OwnMember(record.descriptor(), parts.lost(), null, false)));
        return SetRecovery.ofOneProcess(all);
    }

    /** The losses of a member. One that can't be reached is not rebuilt, and the others are inspected. */
    private List<String> losses(ProtectedFiles files, ProtectedFiles.FoundHeader found, MemberLocation location) {
        int rank = found.header().rank();
        if (!unreachable.containsKey(rank)) {
            try {
                return files.losses(found, location);
            } catch (IOException failure) {
                unreachable.put(rank, String.valueOf(failure.getMessage()));
            }
        }
        return List.of(Objects.requireNonNull(unreachable.get(rank)));
    }

    private SetInspection unplaced(SetSurvey survey, String unknown) {
        SetDescription set = Objects.requireNonNull(survey.description());
        SetInspection.State state = state(survey.missing(), survey.canRebuild());
        List<Integer> ranks = survey.missing().stream().mapToObj(rank -> set.member(rank).descriptor().worldRank())
                .toList();
        if (state == SetInspection.State.REPAIRABLE) {
            damage(-1, unknown
                    + (ranks.size() == 1 ? "" : "; lost are ranks " + ranks + ": --lost RANK=DIR for each"));
            return inspection(SetInspection.State.UNPLACED, null);
        }
        damage(-1, ranks.size() + " of " + set.ranks() + " members are missing"
                + (unreachable.isEmpty() ? "" : " or can't be reached") + ", of ranks " + ranks + " of the job"
                + (state == SetInspection.State.LOST
                        ? ", and " + set.scheme() + " can't rebuild all of these: only an older checkpoint is left"
                        : ""));
        return inspection(state, null);
    }

    /**
     * The state of a damaged set. Nothing is rebuilt while a member can't be reached. It is lost if it would be with
     * these members, too.
     */
    private SetInspection.State state(BitSet missing, boolean canRebuild) {
        if (unreachable.isEmpty()) {
            return canRebuild ? SetInspection.State.REPAIRABLE : SetInspection.State.LOST;
        }
        BitSet gone = (BitSet) missing.clone();
        unreachable.keySet().forEach(gone::clear);
        return parts.place().scheme().canRebuild(gone, parts.place().ranks())
                ? SetInspection.State.UNREACHABLE
                : SetInspection.State.LOST;
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

    private SetInspection result(SetRecovery recovery) {
        SetSurvey survey = recovery.survey();
        locations.forEach((rank, location) -> {
            List<String> losses = parts.members().containsKey(rank)
                    ? survey.losses().getOrDefault(rank, List.of())
                    : List.of(absence(rank, location.redundancy()));
            losses.forEach(loss -> damage(rank, loss));
            recovery.smallLosses(rank).forEach(loss -> damage(rank, loss));
        });
        if (survey.disagrees()) {
            damage(-1, ReductionChains.DISAGREES);
        }
        SetInspection.State damaged = state(survey.missing(), survey.canRebuild());
        tellWhatIsTrusted(recovery);
        return inspection(damages.isEmpty() ? SetInspection.State.WHOLE : damaged, recovery);
    }

    /** Why there is no header of a member. */
    private String absence(int rank, Path redundancy) {
        UnreadableFile damaged = parts.unreadable().get(rank);
        return unreachable.getOrDefault(rank,
                "redundancy file " + (damaged == null ? redundancy + " is absent" : damaged.toString()));
    }

    private void tellWhatIsTrusted(SetRecovery recovery) {
        List<Integer> unverified = locations.keySet().stream().filter(
                rank -> !recovery.survey().checksums().containsKey(rank) && !recovery.format().recordsCrcs(rank))
                .toList();
        if (!unverified.isEmpty()) {
            notes.add(
                    "files of checksums of ranks " + unverified + " are absent, damaged or of another encoding: their "
                            + "contents are trusted, as redset does");
        }
        if (locations.entrySet().stream().anyMatch(
                member -> lacksRelativeFile(Objects.requireNonNull(records.get(member.getKey())), member.getValue()))) {
            notes.add("recorded names of data files are relative, and were looked for in " + base
                    + ": --base DIR says where else they start");
        }
    }

    private static boolean lacksRelativeFile(RankRecord record, MemberLocation location) {
        return location.small().isPresent() && IntStream.range(0, location.files().size())
                .anyMatch(file -> !record.files().get(file).name().startsWith("/")
                        && Files.notExists(location.files().get(file)));
    }

    /**
     * The set.
     *
     * @param recovery what is known of its contents, or null if it can't be rebuilt, or not now
     */
    private SetInspection inspection(SetInspection.State state, @Nullable SetRecovery recovery) {
        if (recovery == null) {
            parts.unreadable().forEach((rank, file) -> damage(rank, absence(rank, file.path())));
            unreachable.entrySet().stream().filter(member -> !parts.unreadable().containsKey(member.getKey()))
                    .forEach(member -> damage(member.getKey(), member.getValue()));
        }
        SortedMap<Integer, SetInspection.Member> members = new TreeMap<>();
        locations.forEach((rank, location) -> members.put(rank, new SetInspection.Member(
                Objects.requireNonNull(records.get(rank)), location,
                recovery == null ? null : recovery.survey().checksums().get(rank),
                recovery == null ? !parts.members().containsKey(rank) : recovery.survey().missing().get(rank))));
        return new SetInspection(parts.name(), parts.place(), members, List.copyOf(damages), List.copyOf(notes), state,
                recovery);
    }

    private void damage(int rank, String message) {
        damages.add(new SetInspection.Damage(rank, message));
    }
}
