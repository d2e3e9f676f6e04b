package org.restorej.redset.internal.format;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Content of our own file beside redset's two: checksums of a rank and, like the headers, of its {@code L} left
 * neighbours, so that they outlive the rank. The format is that of redset's blocks; redset never looks at it.
 *
 * @param rank own rank in the set
 * @param byRank by rank in the set
 */
public record ChecksumFile(int rank, SortedMap<Integer, RankChecksums> byRank) {
    private static final String ALGORITHM = "CRC32C";

    /** Copies the map. */
    public ChecksumFile {
        byRank = Collections.unmodifiableSortedMap(new TreeMap<>(byRank));
        if (!byRank.containsKey(rank)) {
            throw new IllegalArgumentException("byRank must hold the own rank: rank=" + rank);
        }
    }

    /** The tree that is stored. */
    public KvTree toTree() {
        KvTree.Builder ranks = KvTree.builder();
        for (Map.Entry<Integer, RankChecksums> entry : byRank.entrySet()) {
            ranks.put(entry.getKey().toString(), entry.getValue().toTree());
        }
        return KvTree.builder().put("ALGORITHM", ALGORITHM).put("CHECKSUMS", ranks.build()).put("RANK", rank).build();
    }

    /**
     * Reads the bytes of a file.
     *
     * @throws IOException when they are not such a file, or damaged
     */
    public static ChecksumFile decode(byte[] bytes) throws IOException {
        return read(KvTreeBlock.decode(bytes).tree());
    }

    /**
     * Reads a tree.
     *
     * @throws FormatException when it is not that of a checksum file
     */
    public static ChecksumFile read(KvTree tree) throws FormatException {
        TreeFields root = new TreeFields("checksum file", tree);
        String algorithm = root.text("ALGORITHM");
        if (!algorithm.equals(ALGORITHM)) {
            throw new FormatException("checksum file/ALGORITHM must be " + ALGORITHM + ": " + algorithm);
        }
        int rank = root.integer("RANK", 0, Integer.MAX_VALUE);
        SortedMap<Integer, RankChecksums> byRank = new TreeMap<>();
        TreeFields ranks = root.child("CHECKSUMS");
        for (String key : ranks.tree().keys()) {
            int member = (int) TreeFields.number(ranks.place(), key, 0, Integer.MAX_VALUE);
            byRank.put(member, RankChecksums.read(ranks.child(key)));
        }
        if (!byRank.containsKey(rank)) {
            throw new FormatException("checksum file/CHECKSUMS must hold the own rank: " + rank);
        }
        return new ChecksumFile(rank, byRank);
    }
}
