package org.restorej.redset.internal.format;

import java.util.ArrayList;
import java.util.List;

/**
 * A process of a set with the files it protects ({@code F} in redset's files).
 *
 * @param descriptor its place
 * @param files its files, in the order given; together they are its logical file
 */
public record RankRecord(Descriptor descriptor, List<FileRecord> files) {
    /** Copies the list. */
    public RankRecord {
        files = List.copyOf(files);
        long sum = 0;
        for (FileRecord file : files) {
            sum += file.sizeBytes();
            if (sum < 0) {
                throw new IllegalArgumentException("files of rank " + descriptor.rank() + " have 2^63 bytes or more");
            }
        }
    }

    /** Bytes of the logical file. */
    public long totalBytes() {
        return files.stream().mapToLong(FileRecord::sizeBytes).sum();
    }

    /** The tree that is stored. */
    public KvTree toTree() {
        KvTree.Builder list = KvTree.builder();
        for (int i = 0; i < files.size(); i++) {
            list.put(Integer.toString(i), files.get(i).toTree());
        }
        return KvTree.builder().put("DESC", descriptor.toTree()).put("FILE", list.build()).put("FILES", files.size())
                .build();
    }

    /**
     * Reads a tree.
     *
     * @throws FormatException when it is not that of a process with its files
     */
    public static RankRecord read(KvTree tree) throws FormatException {
        return read(new TreeFields("record", tree));
    }

    static RankRecord read(TreeFields fields) throws FormatException {
        Descriptor descriptor = Descriptor.read(fields.child("DESC"));
        int count = fields.integer("FILES", 0, Integer.MAX_VALUE);
        TreeFields list = fields.child("FILE");
        if (list.tree().count() != count) {
            throw new FormatException(
                    fields.place() + "/FILES must be the number of files, " + list.tree().count() + ": " + count);
        }
        List<FileRecord> files = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            files.add(FileRecord.read(list.child(Integer.toString(i))));
        }
        try {
            return new RankRecord(descriptor, files);
        } catch (IllegalArgumentException tooLarge) {
            throw new FormatException(fields.place() + ": " + tooLarge.getMessage());
        }
    }
}
