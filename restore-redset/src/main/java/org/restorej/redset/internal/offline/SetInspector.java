package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.LocalReduction;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.sets.EncodingFacts;

/** Finds out what of one set is missing or damaged. Writes nothing; used once, by one thread. */
final class SetInspector {
    private final FileOperations operations;
    private final DirectoryContent.FoundSet found;
    private final PathPolicy policy;
    private final List<SetInspection.Damage> damages = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final BitSet missing = new BitSet();
    private final NavigableMap<Integer, RankChecksums> checksums = new TreeMap<>();

    SetInspector(FileOperations operations, DirectoryContent.FoundSet found, PathPolicy policy) {
        this.operations = operations;
        this.found = found;
        this.policy = policy;
    }

    /** Looks at names and sizes, and at contents when there is a kernel to recompute redundancy with. */
    SetInspection inspect(@Nullable ErasureKernel contents, int threads) throws IOException {
        SetDescription set = describe();
        List<MemberLocation> locations = set == null ? List.of() : locate(set);
        if (set == null || locations.isEmpty()) {
            return result(null, List.of(), SetInspection.State.LOST);
        }
        for (int rank = 0; rank < set.ranks(); rank++) {
            checkPresence(set, rank, locations.get(rank));
        }
        readChecksums(set, locations);
        for (int rank = 0; rank < set.ranks(); rank++) {
            checkSmallFiles(set, rank, locations.get(rank));
        }
        boolean ambiguous = contents != null && !contentsAreFoundRight(set, locations, contents, threads);
        boolean lost = ambiguous || hasLostChecksums(set) || !set.scheme().canRebuild(missing, set.ranks());
        SetInspection.State damaged = lost ? SetInspection.State.LOST : SetInspection.State.REPAIRABLE;
        return result(set, locations, damages.isEmpty() ? SetInspection.State.WHOLE : damaged);
    }

    private SetInspection result(@Nullable SetDescription set, List<MemberLocation> locations,
            SetInspection.State state) {
        SetInspection.SetName name = new SetInspection.SetName.OfRedset(found.prefix(), found.place().group(),
                found.place().groups());
        return new SetInspection(name, found.place(), set == null ? null : new SetFormat.OfRedset(set), locations,
                Collections.unmodifiableNavigableMap(checksums),
                missing, List.copyOf(damages), List.copyOf(notes), state);
    }

    private void damage(int rank, String message) {
        damages.add(new SetInspection.Damage(rank, message));
    }

    /** Puts the set together from what its headers say of their own ranks and of their neighbours. */
    private @Nullable SetDescription describe() {
        EncodingFacts known = new EncodingFacts();
        for (DirectoryScan.FoundHeader header : found.headers().values()) {
            if (!known.add(EncodingFacts.ofHeader(header.header(), header.path()))) {
                damage(header.header().rank(), "headers contradict one another about it or its neighbours: they are of "
                        + "different encodings");
                return null;
            }
        }
        try {
            Optional<SetDescription> set = SetDescription
                    .of(found.headers().values().stream().map(DirectoryScan.FoundHeader::header).toList());
            if (set.isEmpty()) {
                damage(-1, "no file describes all of its " + found.place().ranks() + " ranks");
            }
            return set.orElse(null);
        } catch (FormatException inconsistent) {
            damage(-1, String.valueOf(inconsistent.getMessage()));
            return null;
        }
    }

    private List<MemberLocation> locate(SetDescription set) {
        List<MemberLocation> locations = new ArrayList<>();
        for (RankRecord member : set.members()) {
            try {
                locations.add(MemberLocation.of(found.prefix(), member, policy));
            } catch (IOException refused) {
                damage(member.descriptor().rank(), String.valueOf(refused.getMessage()));
                return List.of();
            }
        }
        return locations;
    }

    private void checkPresence(SetDescription set, int rank, MemberLocation location) {
        DirectoryScan.FoundHeader header = found.headers().get(rank);
        if (header == null) {
            String what = Files.exists(location.redundancy()) ? "is unreadable" : "is absent";
            lose(rank, "redundancy file " + what);
        }
        List<String> losses = header == null
                ? MemberCheck.files(set.member(rank), location)
                : MemberCheck.presence(header.header(), header.headerBytes(), location);
        losses.forEach(loss -> lose(rank, loss));
    }

    private void lose(int rank, String message) {
        missing.set(rank);
        damage(rank, message);
    }

    /** Reads all files of checksums that are of this encoding. */
    private void readChecksums(SetDescription set, List<MemberLocation> locations) {
        for (int rank = 0; rank < set.ranks(); rank++) {
            Path path = locations.get(rank).checksums();
            DirectoryScan.FoundHeader header = found.headers().get(rank);
            if (header == null || !Files.exists(path)) {
                continue;
            }
            try {
                ChecksumFile file = ChecksumFile.decode(operations.readBlock(path));
                Map<Integer, RankChecksums> known = SmallFiles.matching(file, header.header());
                if (known.isEmpty()) {
                    notes.add(path + " is of another encoding and was ignored");
                }
                known.forEach(checksums::putIfAbsent);
            } catch (IOException damaged) {
                damages.add(SetInspection.Damage.ofChecksums(rank, ": " + damaged.getMessage()));
            }
        }
        if (checksums.isEmpty()) {
            notes.add("there are no checksums: contents are trusted, as redset does");
        }
    }

    /** Descriptor and checksum files are no loss of a rank, but are rebuilt too. */
    private void checkSmallFiles(SetDescription set, int rank, MemberLocation location) {
        if (!missing.get(rank)) {
            try {
                if (!Files.exists(location.descriptor())) {
                    damage(rank, "descriptor file is absent");
                } else if (!readDescriptor(location).equals(set.descriptorFile(rank))) {
                    damage(rank, "descriptor file is of another encoding");
                }
            } catch (IOException unreadable) {
                damage(rank, "descriptor file is damaged: " + unreadable.getMessage());
            }
            if (!checksums.isEmpty() && !Files.exists(location.checksums())) {
                damages.add(SetInspection.Damage.ofChecksums(rank, " is absent"));
            }
        }
    }

    private DescriptorFile readDescriptor(MemberLocation location) throws IOException {
        return DescriptorFile.decode(operations.readBlock(location.descriptor()));
    }

    /** Without redundancy, nothing but lost checksums shows that contents are right. */
    private boolean hasLostChecksums(SetDescription set) {
        return set.scheme().neighbours() == 0
                && damages.stream().anyMatch(damage -> damage.isOfChecksums() && !checksums.containsKey(damage.rank()));
    }

    /** As the next, and restores the access times of the data files. */
    private boolean contentsAreFoundRight(SetDescription set, List<MemberLocation> locations, ErasureKernel kernel,
            int threads) throws IOException {
        List<Path> files = locations.stream().flatMap(location -> location.files().stream()).toList();
        try (var _ = new AccessTimes(operations, files)) {
            return contentsAreRight(set, locations, kernel, threads);
        }
    }

    /** False when contents are wrong and it is unknown on which ranks. */
    private boolean contentsAreRight(SetDescription set, List<MemberLocation> locations, ErasureKernel kernel,
            int threads)
            throws IOException {
        boolean unchecked = false;
        for (int rank = 0; rank < set.ranks(); rank++) {
            RankChecksums expected = checksums.get(rank);
            unchecked |= expected == null;
            if (expected != null && !missing.get(rank)) {
                checkContents(set, rank, locations.get(rank), expected);
            }
        }
        if (!unchecked || !set.scheme().canRebuild(missing, set.ranks())
                || new LocalReduction(operations, kernel, set, locations, threads).disagreeing(missing).isEmpty()) {
            return true;
        }
        damage(-1, ReductionChains.DISAGREES);
        return false;
    }

    private void checkContents(SetDescription set, int rank, MemberLocation location, RankChecksums expected) {
        DirectoryScan.FoundHeader header = found.headers().get(rank);
        int headerBytes = header == null ? 0 : header.headerBytes();
        MemberCheck.contents(operations, set.header(rank), headerBytes, location, expected, null)
                .forEach(loss -> lose(rank, loss));
    }
}
