package org.restorej.demo.phylo.tree;

import org.jspecify.annotations.Nullable;

/** A node as it stands in the text, while it is parsed. Parents come before their children. */
final class NewickNode {
    /** Length of a branch for which the text has none. */
    static final double NO_LENGTH = -1;

    final @Nullable NewickNode parent;
    /** Where the node begins in the text. */
    final int offset;
    String label = "";
    double length = NO_LENGTH;
    int childCount;

    /** Nearest ancestor that stays, and the sum of lengths up to it. */
    @Nullable
    NewickNode keptParent;
    double keptLength;
    /** Number in the tree. */
    int id = -1;

    NewickNode(@Nullable NewickNode parent, int offset) {
        this.parent = parent;
        this.offset = offset;
        if (parent != null) {
            parent.childCount++;
        }
    }

    boolean isTip() {
        return childCount == 0;
    }
}
