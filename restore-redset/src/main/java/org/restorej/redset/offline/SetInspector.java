package org.restorej.redset.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.coding.MemberCheck;
import org.restorej.redset.coding.MemberLocation;
import org.restorej.redset.coding.RedundancyCheck;
import org.restorej.redset.erasure.ErasureKernel;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.files.PathPolicy;
import org.restorej.redset.files.WholeFile;
import org.restorej.redset.format.ChecksumFile;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.RankRecord;
import org.restorej.redset.format.SetDescription;

/** Finds out what of one set is missing or damaged. Writes nothing; used once, by one thread. */
final class SetInspector {
    private final FileOperations operations;
    private final DirectoryScan.FoundSet found;
    private final PathPolicy policy;
    private final List<SetInspection.Damage> damages = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final BitSet missing = new BitSet();
    private final SortedMap<Integer, RankChecksums> checksums = new TreeMap<>();

    SetInspector(FileOperations operations, DirectoryScan.FoundSet found, PathPolicy policy) {
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
        boolean ambiguous = contents != null && !contentsAreRight(set, locations, contents, threads);
        boolean lost = ambiguous || !set.scheme().canRebuild(missing, set.ranks());
        SetInspection.State damaged = lost ? SetInspection.State.LOST : SetInspection.State.REPAIRABLE;
        return result(set, locations, damages.isEmpty() ? SetInspection.State.WHOLE : damaged);
    }

    private SetInspection result(@Nullable SetDescription set, List<MemberLocation> locations,
            SetInspection.State state) {
        return new SetInspection(found.prefix(), found.place(), set, locations,
                Collections.unmodifiableSortedMap(checksums),
                missing, List.copyOf(damages), List.copyOf(notes), state);
    }

    private void damage(int rank, String message) {
        damages.add(new SetInspection.Damage(rank, message));
    }

    /** Puts the set together from what its headers say of their own ranks and of their neighbours. */
    private @Nullable SetDescription describe() {
        Map<Integer, RankRecord> records = new HashMap<>();
        for (DirectoryScan.FoundHeader header : found.headers().values()) {
            for (Map.Entry<Integer, RankRecord> entry : header.header().byRank().entrySet()) {
                RankRecord other = records.putIfAbsent(entry.getKey(), entry.getValue());
                if (other != null && !other.equals(entry.getValue())) {
                    damage(entry.getKey(), "headers contradict one another about it: they are of different encodings");
                    return null;
                }
            }
        }
        // Compared before a loop over ranks, whose number is only what a file claims.
        int ranks = found.place().ranks();
        if (records.size() < ranks) {
            damage(-1, "no file describes " + (ranks - records.size()) + " of " + ranks + " ranks");
            return null;
        }
        List<RankRecord> members = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            RankRecord record = records.get(rank);
            if (record == null) {
                damage(rank, "no file describes it");
                return null;
            }
            members.add(record);
        }
        try {
            SetDescription set = new SetDescription(members);
            return agreesWithHeaders(set) ? set : null;
        } catch (IllegalArgumentException | ArithmeticException inconsistent) {
            damage(-1, "the headers don't describe a set: " + inconsistent.getMessage());
            return null;
        }
    }

    private boolean agreesWithHeaders(SetDescription set) {
        for (Map.Entry<Integer, DirectoryScan.FoundHeader> entry : found.headers().entrySet()) {
            if (!set.header(entry.getKey()).equals(entry.getValue().header())) {
                damage(entry.getKey(), "its header doesn't fit to the others: chunk size "
                        + entry.getValue().header().chunkBytes() + " instead of " + set.chunkBytes()
                        + ", or other members");
                return false;
            }
        }
        return true;
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

    /** Takes what our files of checksums say, as far as they are of this encoding. */
    private void readChecksums(SetDescription set, List<MemberLocation> locations) {
        for (int rank = 0; rank < set.ranks(); rank++) {
            Path path = locations.get(rank).checksums();
            DirectoryScan.FoundHeader header = found.headers().get(rank);
            if (header == null || !Files.exists(path)) {
                continue;
            }
            try {
                ChecksumFile file = ChecksumFile.read(KvTreeBlock.decode(WholeFile.read(operations, path)).tree());
                RankChecksums own = file.byRank().get(rank);
                if (file.rank() != rank || own == null || own.headerCrc() != header.headerCrc()) {
                    notes.add(path + " is of another encoding and was ignored");
                } else {
                    file.byRank().forEach((member, known) -> addChecksums(set, member, known));
                }
            } catch (IOException damaged) {
                damage(rank, "file of checksums: " + damaged.getMessage());
            }
        }
        if (checksums.isEmpty()) {
            notes.add("there are no checksums: contents are trusted, as redset does");
        }
    }

    private void addChecksums(SetDescription set, int rank, RankChecksums known) {
        if (rank < set.ranks() && known.files().size() == set.member(rank).files().size()
                && known.payload().size() == set.scheme().neighbours()) {
            checksums.putIfAbsent(rank, known);
        }
    }

    /** Descriptor and checksum files are no loss of a rank, but are rebuilt too. */
    private void checkSmallFiles(SetDescription set, int rank, MemberLocation location) {
        if (!missing.get(rank)) {
            try {
                byte[] expected = KvTreeBlock.encode(set.descriptorFile(rank).toTree());
                if (!Files.exists(location.descriptor())) {
                    damage(rank, "descriptor file is absent");
                } else if (!Arrays.equals(expected, WholeFile.read(operations, location.descriptor()))) {
                    damage(rank, "descriptor file is damaged");
                }
            } catch (IOException unreadable) {
                damage(rank, "descriptor file can't be read: " + unreadable.getMessage());
            }
            if (!checksums.isEmpty() && !Files.exists(location.checksums())) {
                damage(rank, "file of checksums is absent");
            }
        }
    }

    /** False when something is wrong and can't be pinned to ranks. */
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
        if (!unchecked || !missing.isEmpty() || RedundancyCheck.agrees(operations, kernel, set, locations, threads)) {
            return true;
        }
        damage(-1, "redundancy and data disagree, and without checksums it can't be told which is wrong");
        return false;
    }

    private void checkContents(SetDescription set, int rank, MemberLocation location, RankChecksums expected) {
        DirectoryScan.FoundHeader header = found.headers().get(rank);
        int headerBytes = header == null ? 0 : header.headerBytes();
        MemberCheck.contents(operations, set.header(rank), headerBytes, location, expected)
                .forEach(loss -> lose(rank, loss));
    }
}
