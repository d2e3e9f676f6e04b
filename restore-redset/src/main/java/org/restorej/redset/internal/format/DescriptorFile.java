package org.restorej.redset.internal.format;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Content of a descriptor file: the places of a process and of its {@code L} left neighbours.
 *
 * @param byWorldRank by rank in the application's communicator
 */
public record DescriptorFile(SortedMap<Integer, Descriptor> byWorldRank) {
    /** Copies the map. */
    public DescriptorFile {
        byWorldRank = Collections.unmodifiableSortedMap(new TreeMap<>(byWorldRank));
    }

    /** The tree to store. */
    public KvTree toTree() {
        KvTree.Builder tree = KvTree.builder();
        for (Map.Entry<Integer, Descriptor> entry : byWorldRank.entrySet()) {
            tree.put(entry.getKey().toString(), KvTree.builder().put("DESC", entry.getValue().toTree()).build());
        }
        return tree.build();
    }

    /**
     * Reads the bytes of a file.
     *
     * @throws IOException if the bytes are damaged or are no descriptor file
     */
    public static DescriptorFile decode(byte[] bytes) throws IOException {
        return read(KvTreeBlock.decode(bytes).tree());
    }

    /**
     * Reads a tree.
     *
     * @throws FormatException if it is no tree of a descriptor file
     */
    public static DescriptorFile read(KvTree tree) throws FormatException {
        SortedMap<Integer, Descriptor> descriptors = new TreeMap<>();
        TreeFields root = new TreeFields("descriptor file", tree);
        for (String key : tree.keys()) {
            TreeFields child = root.child(key);
            int worldRank = (int) child.numberOf(key, 0, Integer.MAX_VALUE);
            Descriptor descriptor = Descriptor.read(child.child("DESC"));
            if (descriptor.worldRank() != worldRank) {
                throw new FormatException(child.place() + " must describe that rank: WRANK=" + descriptor.worldRank());
            }
            descriptors.put(worldRank, descriptor);
        }
        if (descriptors.isEmpty()) {
            throw new FormatException("a descriptor file must describe at least one rank");
        }
        return new DescriptorFile(descriptors);
    }
}
