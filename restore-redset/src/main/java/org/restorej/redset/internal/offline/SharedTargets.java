package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;

/**
 * Finds files whose rebuild would replace a file of another member, or of another set, which may be newer. A file that
 * several of them have protected with the same content is no conflict.
 */
final class SharedTargets {
    private SharedTargets() {}

    /**
     * A member's claim to a file.
     *
     * @param set number of its set
     * @param rank rank in the set
     * @param record record of the file; null for a redundancy file
     * @param checksum of its content, or null if unknown
     */
    private record Owner(int set, int rank, @Nullable FileRecord record, @Nullable Integer checksum) {
        /** Whether both have the same content, as far as known. */
        boolean agrees(Owner other) {
            if (equals(other)) {
                return true;
            }
            if (record == null || other.record == null || record.sizeBytes() != other.record.sizeBytes()) {
                return false;
            }
            return (checksum != null && other.checksum != null)
                    ? checksum.equals(other.checksum)
                    : isOfSameTime(record.metadata(), other.record.metadata());
        }

        private static boolean isOfSameTime(@Nullable FileMetadata mine, @Nullable FileMetadata theirs) {
            return mine != null && theirs != null && mine.modificationTime().equals(theirs.modificationTime());
        }
    }

    /** The sets, of which those count as lost whose rebuild would replace a file of another member or set. */
    static List<SetInspection> withoutConflicts(List<SetInspection> sets) {
        Map<Path, List<Owner>> owners = new TreeMap<>();
        List<SetInspection> checked = new ArrayList<>(sets);
        for (int i = 0; i < sets.size(); i++) {
            int number = i;
            sets.get(i).members().forEach((rank, member) -> owners(number, rank, member).forEach((path, owner) -> {
                Path identity = path.toAbsolutePath().normalize();
                try {
                    identity = FilePaths.identity(path);
                } catch (IOException unreachable) {
                    SetInspection set = checked.get(number);
                    if (set.state() != SetInspection.State.LOST) {
                        checked.set(number, set.because(String.valueOf(unreachable.getMessage()),
                                SetInspection.State.UNREACHABLE));
                    }
                }
                owners.computeIfAbsent(identity, absent -> new ArrayList<>()).addAll(owner);
            }));
        }
        owners.forEach((path, owning) -> {
            for (Owner owner : owning) {
                SetInspection set = checked.get(owner.set());
                if (set.state() == SetInspection.State.REPAIRABLE
                        && set.member(owner.rank()).missing()) {
                    conflict(owner, owning).ifPresent(reason -> checked.set(owner.set(),
                            set.because(path + reason, SetInspection.State.LOST)));
                }
            }
        });
        return checked;
    }

    /** A member's claims to its files; several to one that it names twice. */
    private static Map<Path, List<Owner>> owners(int set, int rank, SetInspection.Member member) {
        Map<Path, List<Owner>> owners = new TreeMap<>();
        MemberLocation location = member.location();
        owners.put(location.redundancy(), new ArrayList<>(List.of(new Owner(set, rank, null, null))));
        RankChecksums checksums = member.checksums();
        for (int file = 0; file < location.files().size(); file++) {
            owners.computeIfAbsent(location.files().get(file), absent -> new ArrayList<>())
                    .add(new Owner(set, rank, member.record().files().get(file),
                            checksums == null ? null : checksums.files().get(file)));
        }
        return owners;
    }

    private static Optional<String> conflict(Owner owner, List<Owner> all) {
        return all.stream().filter(other -> !owner.agrees(other)).findFirst().map(other -> other.set() == owner.set()
                ? " belongs to two members of the set, or twice to one, with different contents"
                : " belongs to another set, too: the file of one would replace that of the other");
    }
}
