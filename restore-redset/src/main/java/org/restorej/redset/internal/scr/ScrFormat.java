package org.restorej.redset.internal.scr;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.SetDescription;

/**
 * SCR's own format, without files beside the XOR files. Without checksums, the only sign of damage may be an existing
 * file of a missing member that differs from the rebuilt one. Therefore such files are replaced only if a CRC proves
 * them wrong.
 *
 * @param set the members
 * @param headers readable headers by rank in the set; at most one is missing
 */
public record ScrFormat(SetDescription set, SortedMap<Integer, ScrHeader> headers) implements SetFormat {
    /** Copies the map. */
    public ScrFormat {
        headers = new TreeMap<>(headers);
    }

    /**
     * Creates a set from headers.
     *
     * @param headers readable headers by rank in the set; at most one is missing
     * @throws IllegalArgumentException if they don't describe one set; the message names the header and the violated
     *         rule
     */
    public static ScrFormat of(SortedMap<Integer, ScrHeader> headers) {
        ScrHeader first = headers.values().iterator().next();
        SortedMap<Integer, RankRecord> records = new TreeMap<>();
        for (ScrHeader header : headers.values()) {
            requireSame(header, first);
            for (Map.Entry<Integer, RankRecord> record : header.redundancy().byRank().entrySet()) {
                RankRecord other = records.putIfAbsent(record.getKey(), record.getValue());
                if (other != null && !other.equals(record.getValue())) {
                    ScrFileName left = header.name().ofMember(record.getKey());
                    throw new IllegalArgumentException("PARTNER of " + rightOf(left)
                            + " must be CURRENT of its left neighbour, " + left + ": they tell of different files");
                }
            }
        }
        int ranks = first.name().ranks();
        if (records.size() < ranks) {
            throw new IllegalArgumentException("of " + ranks + " XOR files " + headers.size()
                    + " can be read, and they don't tell of the files of all members");
        }
        records.values().forEach(ScrFormat::requireNames);
        SetDescription set = new SetDescription(List.copyOf(records.values()));
        if (set.chunkBytes() != first.redundancy().chunkBytes()) {
            throw new IllegalArgumentException(first.name() + ": CHUNK must be " + set.chunkBytes()
                    + " for the sizes recorded: " + first.redundancy().chunkBytes());
        }
        return new ScrFormat(set, headers);
    }

    private static void requireNames(RankRecord member) {
        Set<String> names = new HashSet<>();
        for (FileRecord file : member.files()) {
            if (isNameOfRedundancy(file.name())) {
                throw new IllegalArgumentException("data files must not be called as redundancy files are: rank "
                        + member.descriptor().worldRank() + " has " + file.shownName());
            }
            if (!names.add(file.name())) {
                throw new IllegalArgumentException("data files of a rank must have different names: rank "
                        + member.descriptor().worldRank() + " has " + file.shownName() + " twice");
            }
        }
    }

    /** Whether a file of that name may be a redundancy file, of SCR or of redset. */
    public static boolean isNameOfRedundancy(String fileName) {
        return ScrFileName.parse(fileName).isPresent() || RedsetFileNames.isOfRedset(fileName);
    }

    private static void requireSame(ScrHeader header, ScrHeader first) {
        if (header.redundancy().chunkBytes() != first.redundancy().chunkBytes()) {
            throw new IllegalArgumentException(header.name() + ": CHUNK must be as in " + first.name() + ", "
                    + first.redundancy().chunkBytes() + ": " + header.redundancy().chunkBytes());
        }
        if (!header.common().equals(first.common())) {
            throw new IllegalArgumentException(header.name() + ": all keys but CURRENT and PARTNER must be as in "
                    + first.name());
        }
    }

    private static ScrFileName rightOf(ScrFileName name) {
        return name.ofMember((name.rank() + 1) % name.ranks());
    }

    @Override
    public byte[] header(int rank) {
        ScrHeader own = headers.get(rank);
        return KvTreeBlock.encode(own == null
                ? neighbour(rank, 1).ofLeftNeighbour(neighbour(rank, -1))
                : own.tree());
    }

    private ScrHeader neighbour(int rank, int distance) {
        ScrHeader header = headers.get(Math.floorMod(rank + distance, set.ranks()));
        if (header == null) {
            throw new IllegalStateException("a header is left on both sides of rank " + rank);
        }
        return header;
    }

    /** A member's files as SCR records them. */
    private List<ScrHeader.ScrFile> files(int rank) {
        ScrHeader own = headers.get(rank);
        return own == null ? neighbour(rank, 1).partner() : own.current();
    }

    @Override
    public List<OptionalInt> crcs(int rank) {
        return files(rank).stream().map(ScrHeader.ScrFile::crc).toList();
    }

    @Override
    public boolean recordsCrcs(int rank) {
        return crcs(rank).stream().allMatch(OptionalInt::isPresent);
    }

    @Override
    public boolean keepsWhatMayBeGood() {
        return true;
    }
}
