package org.restorej.redset.internal.format;

import org.restorej.redset.internal.format.RankRecord.FileRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.Scheme;

/**
 * All metadata of a redundancy set: the members with their files, in order of rank. The header and the descriptor file
 * of every member follow from it.
 *
 * @param members one record for each rank
 */
public record SetDescription(List<RankRecord> members) {
    /** Copies the list and checks that the records are of one set. */
    public SetDescription {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a set has at least one member");
        }
        Descriptor first = members.get(0).descriptor();
        if (members.size() != first.ranks()) {
            throw new IllegalArgumentException(
                    "a set of " + first.ranks() + " ranks has as many members: " + members.size());
        }
        for (int rank = 0; rank < members.size(); rank++) {
            Descriptor descriptor = members.get(rank).descriptor();
            if (descriptor.rank() != rank || !descriptor.isSameSet(first)) {
                throw new IllegalArgumentException("not rank " + rank + " of the set of " + first + ": " + descriptor);
            }
        }
    }

    /**
     * The set that consistent headers describe.
     *
     * @param headers at least one
     * @return empty if no header describes some member
     * @throws FormatException if the headers don't describe a set
     */
    public static Optional<SetDescription> of(Collection<RedundancyHeader> headers) throws FormatException {
        SortedMap<Integer, RankRecord> records = new TreeMap<>();
        headers.forEach(header -> records.putAll(header.byRank()));
        // Compared before a loop over ranks, whose number is only a claim of a file.
        if (records.size() < headers.iterator().next().own().descriptor().ranks()) {
            return Optional.empty();
        }
        SetDescription set;
        try {
            set = new SetDescription(List.copyOf(records.values()));
            for (RedundancyHeader header : headers) {
                if (!set.header(header.rank()).describesAs(header)) {
                    throw new FormatException("the header of rank " + header.rank()
                            + " doesn't fit to the others: chunk size " + header.chunkBytes() + " instead of "
                            + set.chunkBytes() + ", or other members");
                }
            }
        } catch (IllegalArgumentException | ArithmeticException inconsistent) {
            throw new FormatException("the headers don't describe a set: " + inconsistent.getMessage());
        }
        return Optional.of(set);
    }

    /** The redundancy scheme. */
    public Scheme scheme() {
        return members.get(0).descriptor().scheme();
    }

    /** Number of members. */
    public int ranks() {
        return members.size();
    }

    /** The member with a rank. */
    public RankRecord member(int rank) {
        return members.get(rank);
    }

    /** Bytes of the longest logical file. */
    public long longestBytes() {
        long longest = 0;
        for (RankRecord member : members) {
            longest = Math.max(longest, member.totalBytes());
        }
        return longest;
    }

    /** Bytes of a chunk; 0 for schemes without chunks. */
    public long chunkBytes() {
        return scheme() instanceof Scheme.Coded coded ? ChunkLayout.of(coded, ranks()).chunkBytes(longestBytes()) : 0;
    }

    /** The expected header of the redundancy file of a rank. */
    public RedundancyHeader header(int rank) {
        SortedMap<Integer, RankRecord> records = new TreeMap<>();
        for (int member : selfAndLeftNeighbours(rank)) {
            records.put(member, members.get(member));
        }
        List<Integer> worldRanks = scheme() instanceof Scheme.Coded
                ? members.stream().map(member -> member.descriptor().worldRank()).toList()
                : List.of();
        return new RedundancyHeader(rank, records, chunkBytes(), worldRanks);
    }

    /**
     * Permissions of files from which contents of the members' files can be computed. A user gets access only with
     * access to all of the members' files. Groups count only if all files have the same one.
     */
    public int permissions() {
        int permissions = 0_666;
        Set<Long> groups = new HashSet<>();
        for (RankRecord member : members) {
            for (FileRecord file : member.files()) {
                FileMetadata metadata = file.metadata();
                if (metadata != null) {
                    permissions &= (int) metadata.mode();
                    groups.add(metadata.groupId());
                }
            }
        }
        int ofOthers = permissions & 0_006;
        return 0_600 | ofOthers | (groups.size() > 1 ? ofOthers << 3 : permissions & 0_060);
    }

    /** The expected content of the descriptor file of a rank. */
    public DescriptorFile descriptorFile(int rank) {
        SortedMap<Integer, Descriptor> descriptors = new TreeMap<>();
        for (int member : selfAndLeftNeighbours(rank)) {
            Descriptor descriptor = members.get(member).descriptor();
            descriptors.put(descriptor.worldRank(), descriptor);
        }
        return new DescriptorFile(descriptors);
    }

    /** The rank and its {@code L} left neighbours, nearest first. The rank keeps their descriptions. */
    public List<Integer> selfAndLeftNeighbours(int rank) {
        List<Integer> ranks = new ArrayList<>();
        for (int distance = 0; distance <= scheme().neighbours(); distance++) {
            ranks.add(Math.floorMod(rank - distance, ranks()));
        }
        return ranks;
    }
}
