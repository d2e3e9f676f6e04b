package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.LocalPieces;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.sets.SetSurvey;

/** Finds out what of one set is missing or damaged. Writes nothing; used once, by one thread. */
public final class SetInspector {
    private final FileOperations operations;
    private final DirectoryContent.FoundSet found;
    private final Places places;
    private final Path base;
    private final List<SetInspection.Damage> damages = new ArrayList<>();
    private final List<SetInspection.Damage> checksumDamages = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * An inspection of one set.
     *
     * @param places where the files of members are, and where those of lost members go
     * @param base where relative names of data files start, for messages
     */
    public SetInspector(FileOperations operations, DirectoryContent.FoundSet found, Places places, Path base) {
        this.operations = operations;
        this.found = found;
        this.places = places;
        this.base = base;
    }

    /** Where everything of a member is, or belongs if it is lost. */
    @FunctionalInterface
    public interface Places {
        /**
         * The place of a member.
         *
         * @throws IOException when a recorded name leads where it may not, or a lost member may belong to several
         *         directories
         */
        MemberLocation locate(RankRecord member) throws IOException;
    }

    /** Looks at names and sizes, and at contents when there is a kernel to recompute redundancy with. */
    public SetInspection inspect(@Nullable ErasureKernel contents, int threads) throws IOException {
        if (!found.doubt().isEmpty()) {
            damage(-1, found.doubt());
            return lost();
        }
        List<SetSurvey.Member> members = new ArrayList<>();
        for (DirectoryScan.FoundHeader header : found.headers().values()) {
            Optional<MemberLocation> location = locate(header.header().own());
            if (location.isPresent()) {
                members.add(member(header, location.get()));
            }
        }
        if (members.size() < found.headers().size()) {
            return lost();
        }
        SetSurvey survey = SetSurvey.of(found.place().ranks(), members, SetSurvey.Choice.NONE);
        SetDescription set = survey.description();
        if (set == null) {
            tell(survey);
            return lost();
        }
        List<MemberLocation> locations = new ArrayList<>();
        set.members().forEach(member -> locate(member).ifPresent(locations::add));
        return locations.size() < set.ranks() ? lost() : inspect(survey, set, locations, contents, threads);
    }

    private SetInspection inspect(SetSurvey byPresence, SetDescription set, List<MemberLocation> locations,
            @Nullable ErasureKernel contents, int threads) throws IOException {
        for (int rank = 0; rank < set.ranks(); rank++) {
            tellLosses(set.member(rank), locations.get(rank), byPresence);
        }
        damages.addAll(checksumDamages);
        if (lacksRelativeFile(set, locations)) {
            notes.add("recorded names of data files are relative, and were looked for in "
                    + base + ": --base DIR says where else they start");
        }
        if (byPresence.checksums().isEmpty()) {
            notes.add("there are no checksums: contents are trusted, as redset does");
        }
        for (int rank = 0; rank < set.ranks(); rank++) {
            if (!byPresence.missing().get(rank)) {
                checkSmallFiles(set, rank, locations.get(rank), !byPresence.checksums().isEmpty());
            }
        }
        SetSurvey survey = contents == null
                ? byPresence
                : byContents(byPresence, set, locations,
                        new LocalPieces(operations, contents, set, locations, threads));
        SetInspection.State damaged = survey.canRebuild() && !hasLostChecksums(set, survey)
                ? SetInspection.State.REPAIRABLE
                : SetInspection.State.LOST;
        return new SetInspection(name(), found.place(), new SetFormat.OfRedset(set), locations, survey.checksums(),
                survey.missing(), List.copyOf(damages), List.copyOf(notes),
                damages.isEmpty() ? SetInspection.State.WHOLE : damaged);
    }

    private static boolean lacksRelativeFile(SetDescription set, List<MemberLocation> locations) {
        for (int rank = 0; rank < set.ranks(); rank++) {
            for (int i = 0; i < locations.get(rank).files().size(); i++) {
                if (!set.member(rank).files().get(i).name().startsWith("/")
                        && Files.notExists(locations.get(rank).files().get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private SetInspection lost() {
        return new SetInspection(name(), found.place(), null, List.of(), Collections.emptySortedMap(), new BitSet(),
                List.copyOf(damages), List.copyOf(notes), SetInspection.State.LOST);
    }

    private SetInspection.SetName name() {
        return new SetInspection.SetName.OfRedset(
                found.headers().values().stream().map(DirectoryScan.FoundHeader::prefix).distinct().sorted().toList(),
                found.place().group(), found.place().groups());
    }

    private void damage(int rank, String message) {
        damages.add(new SetInspection.Damage(rank, message));
    }

    private Optional<MemberLocation> locate(RankRecord member) {
        try {
            return Optional.of(places.locate(member));
        } catch (IOException refused) {
            damage(member.descriptor().rank(), String.valueOf(refused.getMessage()));
            return Optional.empty();
        }
    }

    private SetSurvey.Member member(DirectoryScan.FoundHeader header, MemberLocation location) throws IOException {
        return new SetSurvey.Member(header.header(), readChecksums(header, location.checksums()),
                MemberCheck.presence(header.header(), header.headerBytes(), location));
    }

    /** What a file of checksums says, if it is of this encoding. */
    private Map<Integer, RankChecksums> readChecksums(DirectoryScan.FoundHeader header, Path path) {
        if (!Files.exists(path)) {
            return Map.of();
        }
        try {
            Map<Integer, RankChecksums> known = SmallFiles.matching(ChecksumFile.decode(operations.readBlock(path)),
                    header.header());
            if (known.isEmpty()) {
                notes.add(path + " is of another encoding and was ignored");
            }
            return known;
        } catch (IOException damaged) {
            checksumDamages.add(SetInspection.Damage.ofChecksums(header.header().rank(), ": " + damaged.getMessage()));
            return Map.of();
        }
    }

    /** What nobody can describe, or what contradicts what. */
    private void tell(SetSurvey undescribed) {
        undescribed.losses().forEach((rank, losses) -> losses.forEach(loss -> damage(rank, loss)));
        if (!undescribed.problem().isEmpty()) {
            damage(-1, undescribed.problem());
        }
    }

    private void tellLosses(RankRecord member, MemberLocation location, SetSurvey survey) throws IOException {
        int rank = member.descriptor().rank();
        List<String> losses = survey.losses().getOrDefault(rank, List.of());
        if (!found.headers().containsKey(rank)) {
            damage(rank, "redundancy file " + (Files.exists(location.redundancy()) ? "is unreadable" : "is absent"));
            losses = MemberCheck.files(member, location);
        }
        losses.forEach(loss -> damage(rank, loss));
    }

    /** Descriptor and checksum files are no loss of a rank, but are rebuilt too. */
    private void checkSmallFiles(SetDescription set, int rank, MemberLocation location, boolean hasChecksums) {
        try {
            if (!Files.exists(location.descriptor())) {
                damage(rank, "descriptor file is absent");
            } else if (!DescriptorFile.decode(operations.readBlock(location.descriptor()))
                    .equals(set.descriptorFile(rank))) {
                damage(rank, "descriptor file is of another encoding");
            }
        } catch (IOException unreadable) {
            damage(rank, "descriptor file is damaged: " + unreadable.getMessage());
        }
        if (hasChecksums && !Files.exists(location.checksums())) {
            damages.add(SetInspection.Damage.ofChecksums(rank, " is absent"));
        }
    }

    /** Without redundancy, nothing but lost checksums shows that contents are right. */
    private boolean hasLostChecksums(SetDescription set, SetSurvey survey) {
        return set.scheme().neighbours() == 0 && damages.stream()
                .anyMatch(damage -> damage.isOfChecksums() && !survey.checksums().containsKey(damage.rank()));
    }

    /** Reads everything. Where not all contents have checksums, the redundancy left over is compared, too. */
    private SetSurvey byContents(SetSurvey byPresence, SetDescription set, List<MemberLocation> locations,
            LocalPieces reduction) throws IOException {
        List<Path> files = locations.stream().flatMap(location -> location.files().stream()).toList();
        try (var _ = new AccessTimes(operations, files)) {
            Map<Integer, List<String>> wrong = new TreeMap<>();
            for (int rank : byPresence.checksums().keySet()) {
                if (!byPresence.missing().get(rank)) {
                    DirectoryScan.FoundHeader header = Objects.requireNonNull(found.headers().get(rank));
                    List<String> losses = MemberCheck.contents(operations, header.header(), header.headerBytes(),
                            locations.get(rank), Objects.requireNonNull(byPresence.checksums().get(rank)), null);
                    losses.forEach(loss -> damage(rank, loss));
                    if (!losses.isEmpty()) {
                        wrong.put(rank, losses);
                    }
                }
            }
            SetSurvey survey = byPresence.with(wrong);
            if (survey.checksums().size() == set.ranks() || !survey.canRebuild()
                    || reduction.disagreeing(survey.missing()).isEmpty()) {
                return survey;
            }
            damage(-1, ReductionChains.DISAGREES);
            return survey.disagreeing();
        }
    }
}
