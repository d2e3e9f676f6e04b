package org.restorej;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.restorej.internal.storage.VariableLayout;

/** Makes of blocks with sizes other blocks, all of one length, that hold the sizes. */
final class SizeEntries {
    private SizeEntries() {}

    /** The sizes of the blocks of all entries that have any, under the same ids. */
    static List<Submission.Entry> of(List<Submission.Entry> entries) {
        List<Submission.Entry> sizes = new ArrayList<>();
        for (Submission.Entry entry : entries) {
            if (entry.sizes() != null) {
                BlockSizes each = Objects.requireNonNull(entry.sizes());
                BlockWriter writer = (id, block) -> VariableLayout.putSize(block, 0, each.bytesOf(id));
                sizes.add(new Submission.Entry(entry.blocks(), null, new Submission.Writer(writer)));
            }
        }
        return sizes;
    }
}
