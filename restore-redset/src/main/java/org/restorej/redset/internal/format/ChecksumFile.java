package org.restorej.redset.internal.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Content of ReStore-J's own file beside redset's two: checksums of a rank and, as in headers, of its {@code L} left
 * neighbours, so that they survive a loss of the rank. In the block format of redset, which never reads it.
 *
 * @param rank the file's own rank in the set
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

    /** The tree to store. */
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
     * @throws IOException if the bytes are damaged or are no such file
     */
    public static ChecksumFile decode(byte[] bytes) throws IOException {
        return read(KvTreeBlock.decode(bytes).tree());
    }

    /**
     * Reads a tree.
     *
     * @throws FormatException if it is no tree of a checksum file
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
            int member = (int) ranks.numberOf(key, 0, Integer.MAX_VALUE);
            byRank.put(member, RankChecksums.read(ranks.child(key)));
        }
        if (!byRank.containsKey(rank)) {
            throw new FormatException("checksum file/CHECKSUMS must hold the own rank: " + rank);
        }
        return new ChecksumFile(rank, byRank);
    }

    /**
     * CRC-32C of all files of a rank.
     *
     * @param headerCrc CRC-32 of its redundancy header, which identifies the encoding
     * @param files of its data files, in order
     * @param payload of its payload: one for each checksum, or for each neighbour's copy
     */
    public record RankChecksums(int headerCrc, List<Integer> files, List<Integer> payload) {
        private static final long UINT32_MAX = 0xFFFF_FFFFL;

        /** Copies the lists. */
        public RankChecksums {
            files = List.copyOf(files);
            payload = List.copyOf(payload);
        }

        KvTree toTree() {
            return KvTree.builder().put("HEADER", Integer.toUnsignedLong(headerCrc))
                    .putList("FILE", "FILES", values(files)).putList("PAYLOAD", "PAYLOADS", values(payload)).build();
        }

        private static List<KvTree> values(List<Integer> checksums) {
            return checksums.stream().map(checksum -> KvTree.value(Integer.toUnsignedLong(checksum))).toList();
        }

        static RankChecksums read(TreeFields fields) throws FormatException {
            return new RankChecksums((int) fields.number("HEADER", 0, UINT32_MAX), readList(fields, "FILE", "FILES"),
                    readList(fields, "PAYLOAD", "PAYLOADS"));
        }

        private static List<Integer> readList(TreeFields fields, String key, String countKey) throws FormatException {
            List<Integer> checksums = new ArrayList<>();
            for (TreeFields checksum : fields.list(key, countKey)) {
                checksums.add((int) checksum.number(0, UINT32_MAX));
            }
            return checksums;
        }
    }
}
