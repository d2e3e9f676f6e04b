package org.restorej.redset.internal.format;

import org.jspecify.annotations.Nullable;

/**
 * A protected file as a header records it.
 *
 * @param name as the application passed it: absolute, or relative to the directory it ran in; see {@link FileName}
 * @param sizeBytes its size
 * @param metadata mode, owner and times, or null where none are recorded, as SCR may do
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

    /** The name, for people. */
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
