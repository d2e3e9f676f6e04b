package org.restorej.redset.internal.format;

import java.util.ArrayList;
import java.util.List;

/**
 * CRC-32C of everything that a rank has.
 *
 * @param headerCrc CRC-32 of its redundancy header: it tells this encoding from any other
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
        return KvTree.builder().put("FILE", list(files)).put("FILES", files.size())
                .put("HEADER", Integer.toUnsignedLong(headerCrc)).put("PAYLOAD", list(payload))
                .put("PAYLOADS", payload.size()).build();
    }

    private static KvTree list(List<Integer> checksums) {
        KvTree.Builder tree = KvTree.builder();
        for (int i = 0; i < checksums.size(); i++) {
            tree.put(Integer.toString(i), Integer.toUnsignedLong(checksums.get(i)));
        }
        return tree.build();
    }

    static RankChecksums read(TreeFields fields) throws FormatException {
        return new RankChecksums((int) fields.number("HEADER", 0, UINT32_MAX), readList(fields, "FILE", "FILES"),
                readList(fields, "PAYLOAD", "PAYLOADS"));
    }

    private static List<Integer> readList(TreeFields fields, String key, String countKey) throws FormatException {
        TreeFields list = fields.child(key);
        int count = fields.integer(countKey, 0, Integer.MAX_VALUE);
        if (list.tree().count() != count) {
            throw new FormatException(list.place() + " must have " + count + " entries: " + list.tree().count());
        }
        List<Integer> checksums = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            checksums.add((int) list.number(Integer.toString(i), 0, UINT32_MAX));
        }
        return checksums;
    }
}
