package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;

/** What ranks tell one another, as bytes. */
final class TreeMessages {
    private TreeMessages() {}

    /** The bytes of a tree; none of the empty one. */
    static byte[] encode(KvTree tree) {
        return tree.isEmpty() ? new byte[0] : KvTreeBlock.encodeMessage(tree);
    }

    /** The trees that ranks have told, in the same order. */
    static List<KvTree> decode(List<byte[]> told) {
        List<KvTree> trees = new ArrayList<>();
        for (byte[] each : told) {
            try {
                trees.add(each.length == 0 ? KvTree.EMPTY : KvTreeBlock.decodeMessage(each));
            } catch (FormatException impossible) {
                throw new IllegalStateException("a message must arrive as it was sent", impossible);
            }
        }
        return trees;
    }
}
