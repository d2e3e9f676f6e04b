package org.restorej.redset.internal.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process of a set with its protected files ({@code F} in redset's files).
 *
 * @param descriptor its place
 * @param files its files, in the given order; together they are its logical file
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

    /** Length of the logical file. */
    public long totalBytes() {
        long sum = 0;
        for (FileRecord file : files) {
            sum += file.sizeBytes();
        }
        return sum;
    }

    /** The tree to store. */
    public KvTree toTree() {
        return KvTree.builder().put("DESC", descriptor.toTree())
                .putList("FILE", "FILES", files.stream().map(FileRecord::toTree).toList()).build();
    }

    /**
     * Reads a tree.
     *
     * @throws FormatException if it is no tree of a process with its files
     */
    public static RankRecord read(KvTree tree) throws FormatException {
        return read(new TreeFields("record", tree));
    }

    static RankRecord read(TreeFields fields) throws FormatException {
        Descriptor descriptor = Descriptor.read(fields.child("DESC"));
        List<FileRecord> files = new ArrayList<>();
        for (TreeFields file : fields.list("FILE", "FILES")) {
            files.add(FileRecord.read(file));
        }
        try {
            return new RankRecord(descriptor, files);
        } catch (IllegalArgumentException tooLarge) {
            throw new FormatException(fields.place() + ": " + tooLarge.getMessage());
        }
    }

    /**
     * A protected file as a header records it.
     *
     * @param name as passed by the application: absolute, or relative to its working directory; see {@link FileName}
     * @param sizeBytes its size
     * @param metadata mode, owner and times, or null if none are recorded, as possible in SCR
     */
    public record FileRecord(String name, long sizeBytes, @Nullable FileMetadata metadata) {
        /** Checks name and size. */
        public FileRecord {
            String bytes = FileName.encode(name);
            if (bytes.isEmpty() || bytes.length() >= KvTree.KEY_BYTES_LIMIT || bytes.indexOf(0) >= 0) {
                throw new IllegalArgumentException(
                        "name must have 1 to " + (KvTree.KEY_BYTES_LIMIT - 1) + " bytes and no NUL: name="
                                + FileName.shown(name));
            }
            if (sizeBytes < 0) {
                throw new IllegalArgumentException("sizeBytes must be at least 0: sizeBytes=" + sizeBytes);
            }
        }

        /** The name for messages. */
        public String shownName() {
            return FileName.shown(name);
        }

        KvTree toTree() {
            KvTree.Builder tree = KvTree.builder().put("SIZE", sizeBytes);
            if (metadata != null) {
                metadata.write(tree);
            }
            return KvTree.builder().put(FileName.encode(name), tree.build()).build();
        }

        static FileRecord read(TreeFields fields) throws FormatException {
            String key = fields.onlyKey();
            TreeFields attributes = fields.child(key);
            if (key.isEmpty()) {
                throw new FormatException(fields.place() + " must have a name");
            }
            return new FileRecord(FileName.decode(key), attributes.number("SIZE", 0, Long.MAX_VALUE),
                    FileMetadata.read(attributes));
        }
    }
}
