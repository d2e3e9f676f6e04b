package org.restorej.redset.internal.scr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileName;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.TreeFields;

/**
 * Header of an XOR file that SCR itself has written: the data set, the members of the XOR set, the files of the process
 * and of its left neighbour. Unknown keys are kept. The chunk follows, as in an XOR file of redset.
 *
 * @param name of the file
 * @param tree the complete header
 * @param current the files of the process, in their order in its logical file
 * @param partner those of its left neighbour
 * @param redundancy the header in redset's form; the id of the set is its minimum world rank
 */
public record ScrHeader(ScrFileName name, KvTree tree, List<ScrFile> current, List<ScrFile> partner,
        RedundancyHeader redundancy) {
    private static final String CURRENT = "CURRENT";
    private static final String PARTNER = "PARTNER";
    private static final String DATASET = "DSET";

    /** Copies the lists. */
    public ScrHeader {
        current = List.copyOf(current);
        partner = List.copyOf(partner);
    }

    /**
     * Reads a tree.
     *
     * @throws FormatException if it is no valid header for that name
     */
    public static ScrHeader read(KvTree tree, ScrFileName name) throws FormatException {
        TreeFields root = new TreeFields("header", tree);
        int worldRanks = root.integer("RANKS", 1, Integer.MAX_VALUE);
        List<Integer> group = RedundancyHeader.readGroup(root.child("GROUP"), name.ranks(), worldRanks);
        if (new HashSet<>(group).size() != group.size()) {
            throw new FormatException("header/GROUP/RANK must list each rank once: " + group);
        }
        long chunkBytes = root.number("CHUNK", 1, Long.MAX_VALUE);
        int left = Math.floorMod(name.rank() - 1, name.ranks());
        List<ScrFile> current = readFiles(root.child(CURRENT), group.get(name.rank()));
        List<ScrFile> partner = readFiles(root.child(PARTNER), group.get(left));
        try {
            Descriptor own = new Descriptor(Scheme.xor(), Collections.min(group), worldRanks, name.rank(),
                    name.ranks(), group.get(name.rank()), worldRanks);
            Map<Integer, RankRecord> byRank = Map.of(name.rank(), record(own, current), left,
                    record(own.ofMember(left, group.get(left)), partner));
            for (RankRecord member : byRank.values()) {
                if (Math.ceilDiv(member.totalBytes(), name.ranks() - 1) > chunkBytes) {
                    throw new FormatException("header/CHUNK is too small for the files of rank "
                            + member.descriptor().worldRank() + ": " + chunkBytes);
                }
            }
            return new ScrHeader(name, tree, current, partner,
                    new RedundancyHeader(name.rank(), new TreeMap<>(byRank), chunkBytes, group));
        } catch (IllegalArgumentException inconsistent) {
            throw new FormatException("header: " + inconsistent.getMessage());
        }
    }

    private static List<ScrFile> readFiles(TreeFields member, int expectedRank) throws FormatException {
        int worldRank = member.integer("RANK", 0, Integer.MAX_VALUE);
        if (worldRank != expectedRank) {
            throw new FormatException(
                    member.place() + "/RANK must be " + expectedRank + ", as header/GROUP/RANK says: " + worldRank);
        }
        List<ScrFile> files = new ArrayList<>();
        if (!member.has("FILE")) {
            member.integer("FILES", 0, 0);
            return files;
        }
        for (TreeFields file : member.list("FILE", "FILES")) {
            files.add(ScrFile.read(file));
        }
        return files;
    }

    /** The record of a member in redset's form. */
    private static RankRecord record(Descriptor place, List<ScrFile> files) {
        return new RankRecord(place, files.stream().map(ScrFile::record).toList());
    }

    /** The part that all members of a set have in common: everything except the files of single members. */
    public KvTree common() {
        return with(KvTree.EMPTY, KvTree.EMPTY);
    }

    /** Identifies the set: {@code DSET}, {@code RANKS} and {@code GROUP}. */
    public KvTree identity() {
        KvTree.Builder identity = KvTree.builder();
        for (String key : List.of(DATASET, "RANKS", "GROUP")) {
            identity.put(key, subtree(key));
        }
        return identity.build();
    }

    /** The data set, as a tree. */
    public KvTree datasetTree() {
        return subtree(DATASET);
    }

    /** Name and id of the data set, for messages; empty if SCR has recorded none. */
    public String dataset() {
        KvTree name = subtree(DATASET).child("NAME");
        KvTree id = subtree(DATASET).child("ID");
        String shown = name == null || name.isEmpty() ? "" : FileName.shown(FileName.decode(name.keyAt(0)));
        return shown + (id == null || id.isEmpty() ? "" : (shown.isEmpty() ? "" : ", ") + "id " + id.keyAt(0));
    }

    /**
     * The lost header of the left neighbour.
     *
     * @param beyond header of the left neighbour of that neighbour
     */
    public KvTree ofLeftNeighbour(ScrHeader beyond) {
        return with(subtree(PARTNER), beyond.subtree(CURRENT));
    }

    private KvTree subtree(String key) {
        KvTree child = tree.child(key);
        return child == null ? KvTree.EMPTY : child;
    }

    private KvTree with(KvTree newCurrent, KvTree newPartner) {
        KvTree.Builder changed = KvTree.builder().put(CURRENT, newCurrent).put(PARTNER, newPartner);
        for (int i = 0; i < tree.count(); i++) {
            if (!tree.keyAt(i).equals(CURRENT) && !tree.keyAt(i).equals(PARTNER)) {
                changed.put(tree.keyAt(i), tree.childAt(i));
            }
        }
        return changed.build();
    }

    /**
     * A file of the application as SCR records it ({@code FILE}, {@code SIZE}, {@code PATH}, {@code NAME}, {@code CRC},
     * and others).
     *
     * @param record name in the cache, without a directory; size; metadata if SCR has recorded any
     * @param crc CRC-32 of the content, empty if SCR has computed none
     * @param original the application's own path of the file, or null if it is not recorded
     * @param complete whether the application declared the file valid
     */
    public record ScrFile(FileRecord record, OptionalInt crc, @Nullable String original, boolean complete) {
        private static final int HEXADECIMAL = 16;

        static ScrFile read(TreeFields fields) throws FormatException {
            String name = fields.text("FILE");
            if (name.isEmpty() || name.indexOf('/') >= 0 || name.equals(".") || name.equals("..")) {
                throw new FormatException(fields.place() + "/FILE must be a name without a directory: "
                        + FileName.shown(FileName.decode(name)));
            }
            long size = fields.number("SIZE", 0, Long.MAX_VALUE);
            FileMetadata metadata = fields.has("MODE") ? FileMetadata.read(fields) : null;
            String original = fields.has("PATH") && fields.has("NAME")
                    ? FileName.decode(fields.text("PATH") + "/" + fields.text("NAME"))
                    : null;
            return new ScrFile(new FileRecord(FileName.decode(name), size, metadata), readCrc(fields), original,
                    !fields.has("COMPLETE") || fields.text("COMPLETE").equals("1"));
        }

        /** A number as C prints it: {@code 0x} and digits, or {@code 0}. */
        private static OptionalInt readCrc(TreeFields fields) throws FormatException {
            if (!fields.has("CRC")) {
                return OptionalInt.empty();
            }
            String text = fields.text("CRC");
            if (text.matches("0|0x[0-9a-f]{1,8}")) {
                return OptionalInt.of(Integer.parseUnsignedInt(text.replace("0x", ""), HEXADECIMAL));
            }
            throw new FormatException(fields.place() + "/CRC must be a number as 0x1b39e4e4: " + text);
        }
    }
}
