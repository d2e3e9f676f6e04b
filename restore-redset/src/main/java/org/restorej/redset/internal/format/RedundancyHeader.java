package org.restorej.redset.internal.format;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.restorej.redset.Scheme;

/**
 * Header of a redundancy file: the records of the process and of its {@code L} left neighbours, with their files. For
 * coded schemes also the chunk size and all members of the set.
 *
 * @param rank the process's rank in the set
 * @param byRank records by rank in the set, the process's own included
 * @param chunkBytes bytes of a chunk; 0 for schemes without chunks
 * @param worldRanks world ranks of all members in order of rank; empty for schemes that don't store them
 */
public record RedundancyHeader(int rank, SortedMap<Integer, RankRecord> byRank, long chunkBytes,
        List<Integer> worldRanks) {
    /** Copies the collections and checks their consistency. */
    public RedundancyHeader {
        byRank = Collections.unmodifiableSortedMap(new TreeMap<>(byRank));
        worldRanks = List.copyOf(worldRanks);
        RankRecord own = byRank.get(rank);
        if (own == null) {
            throw new IllegalArgumentException("byRank must hold the own rank: rank=" + rank);
        }
        boolean coded = own.descriptor().scheme() instanceof Scheme.Coded;
        if (coded != chunkBytes > 0 || coded != !worldRanks.isEmpty()) {
            throw new IllegalArgumentException(
                    "chunkBytes and worldRanks go with checksums only: chunkBytes=" + chunkBytes
                            + ", worldRanks=" + worldRanks + ", scheme=" + own.descriptor().scheme());
        }
    }

    /** The record of the process itself. */
    public RankRecord own() {
        RankRecord own = byRank.get(rank);
        if (own == null) {
            throw new IllegalStateException("checked in the constructor");
        }
        return own;
    }

    /** Number of bytes after the header. */
    public long payloadBytes() {
        return payloadSections().stream().reduce(0L, Math::addExact);
    }

    /** Sizes of the sections of the payload, in order: its checksums, or its copies of left neighbours 1, 2, ... */
    public List<Long> payloadSections() {
        Descriptor descriptor = own().descriptor();
        if (descriptor.scheme() instanceof Scheme.Coded coded) {
            return Collections.nCopies(coded.checksums(), chunkBytes);
        }
        List<Long> sizes = new ArrayList<>();
        for (int distance = 1; distance <= descriptor.scheme().neighbours(); distance++) {
            RankRecord left = byRank.get(Math.floorMod(rank - distance, descriptor.ranks()));
            sizes.add(left == null ? 0 : left.totalBytes());
        }
        return sizes;
    }

    /** Whether another header has the same tree. */
    @SuppressWarnings("ReferenceEquality") // A shortcut: the same record has the same tree.
    boolean describesAs(RedundancyHeader other) {
        boolean isSame = rank == other.rank && chunkBytes == other.chunkBytes && worldRanks.equals(other.worldRanks)
                && byRank.size() == other.byRank.size();
        for (Map.Entry<Integer, RankRecord> entry : byRank.entrySet()) {
            RankRecord record = other.byRank.get(entry.getKey());
            // Trees are compared without the code that the JVM would generate for records in a first recovery.
            isSame = isSame && record != null
                    && (record == entry.getValue() || record.toTree().equals(entry.getValue().toTree()));
        }
        return isSame;
    }

    /** The tree to store. */
    public KvTree toTree() {
        return toTree(member -> Objects.requireNonNull(byRank.get(member)).toTree());
    }

    /**
     * As {@link #toTree()}, from trees that are there already.
     *
     * @param ofMember the tree of each record, by rank in the set
     */
    public KvTree toTree(IntFunction<KvTree> ofMember) {
        KvTree.Builder records = KvTree.builder();
        for (int member : byRank.keySet()) {
            records.put(Integer.toString(member), ofMember.apply(member));
        }
        KvTree.Builder tree = KvTree.builder().put("DESC", records.build()).put("RANK", rank);
        if (chunkBytes > 0) {
            tree.put("CHUNK", chunkBytes);
            tree.put("GROUP", KvTree.builder()
                    .putList("RANK", "RANKS", worldRanks.stream().map(KvTree::value).toList()).build());
        }
        return tree.build();
    }

    /**
     * Reads a tree. Ignores what redset itself leaves in headers after a rebuild: a superfluous record (XOR) and a
     * second value of {@code RANK} (PARTNER).
     *
     * @param expectedRank rank in the set according to the file name
     * @throws FormatException if it is no valid header of that rank
     */
    public static RedundancyHeader read(KvTree tree, int expectedRank) throws FormatException {
        TreeFields root = new TreeFields("header", tree);
        TreeFields rank = root.child("RANK");
        if (!rank.has(Integer.toString(expectedRank))) {
            throw new FormatException(
                    "header/RANK must be " + expectedRank + ", as the file's name says: " + rank.tree());
        }
        TreeFields records = root.child("DESC");
        RankRecord own = readRecord(records, expectedRank);
        Descriptor place = own.descriptor();
        SortedMap<Integer, RankRecord> byRank = new TreeMap<>(Map.of(expectedRank, own));
        for (int distance = 1; distance <= place.scheme().neighbours(); distance++) {
            int left = Math.floorMod(expectedRank - distance, place.ranks());
            RankRecord record = readRecord(records, left);
            if (!record.descriptor().isSameSet(place)) {
                throw new FormatException("header/DESC/" + left + " must be of the same set as rank " + expectedRank);
            }
            byRank.put(left, record);
        }
        return place.scheme() instanceof Scheme.Coded coded
                ? readCoded(root, expectedRank, byRank, coded, place)
                : checked(new RedundancyHeader(expectedRank, byRank, 0, List.of()));
    }

    private static RankRecord readRecord(TreeFields records, int rank) throws FormatException {
        RankRecord record = RankRecord.read(records.child(Integer.toString(rank)));
        if (record.descriptor().rank() != rank) {
            throw new FormatException(
                    records.place() + "/" + rank + " must describe that rank: RANK=" + record.descriptor().rank());
        }
        return record;
    }

    private static RedundancyHeader readCoded(TreeFields root, int rank, SortedMap<Integer, RankRecord> byRank,
            Scheme.Coded scheme, Descriptor place) throws FormatException {
        long chunkBytes = root.number("CHUNK", 1, Long.MAX_VALUE);
        List<Integer> worldRanks = readGroup(root.child("GROUP"), place.ranks(), place.worldRanks());
        for (Map.Entry<Integer, RankRecord> entry : byRank.entrySet()) {
            long capacity = saturatedProduct(chunkBytes, ChunkLayout.of(scheme, place.ranks()).dataChunks());
            if (entry.getValue().totalBytes() > capacity) {
                throw new FormatException(
                        "header/CHUNK is too small for the files of rank " + entry.getKey() + ": " + chunkBytes);
            }
            if (worldRanks.get(entry.getKey()) != entry.getValue().descriptor().worldRank()) {
                throw new FormatException("header/GROUP/RANK/" + entry.getKey() + " must be the WRANK of that rank: "
                        + worldRanks.get(entry.getKey()));
            }
        }
        return checked(new RedundancyHeader(rank, byRank, chunkBytes, worldRanks));
    }

    /**
     * Reads the world ranks of the members of a set, in order of rank.
     *
     * @param ranks number of processes of the set
     * @param worldRanks number of processes of the application
     */
    public static List<Integer> readGroup(TreeFields group, int ranks, int worldRanks) throws FormatException {
        List<Integer> ofMembers = new ArrayList<>();
        for (TreeFields member : group.list("RANK", "RANKS")) {
            ofMembers.add((int) member.number(0, worldRanks - 1L));
        }
        if (ofMembers.size() != ranks) {
            throw new FormatException(
                    group.place() + " must list the " + ranks + " ranks of the set: " + ofMembers.size());
        }
        return ofMembers;
    }

    private static long saturatedProduct(long left, long right) {
        return left > Long.MAX_VALUE / right ? Long.MAX_VALUE : left * right;
    }

    /** Rejects a payload size that overflows; otherwise files of impossible sizes would be searched for. */
    private static RedundancyHeader checked(RedundancyHeader header) throws FormatException {
        try {
            if (header.payloadBytes() >= 0) {
                return header;
            }
        } catch (ArithmeticException overflow) {
            // Reported below.
        }
        throw new FormatException("the payload must have less than 2^63 bytes");
    }
}
