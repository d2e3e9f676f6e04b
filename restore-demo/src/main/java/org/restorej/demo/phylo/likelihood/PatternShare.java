package org.restorej.demo.phylo.likelihood;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.restorej.demo.phylo.alignment.Nucleotides;
import org.restorej.demo.phylo.alignment.PatternLayout;

/** The patterns of one PE, copied out of blocks of the store; grows at its end only. */
final class PatternShare {
    private final PatternLayout layout;
    private final List<PatternGroup> groups = new ArrayList<>();
    private long count;

    PatternShare(int taxonCount) {
        layout = new PatternLayout(taxonCount);
    }

    long count() {
        return count;
    }

    List<PatternGroup> groups() {
        return Collections.unmodifiableList(groups);
    }

    void append(MemorySegment blocks) {
        long blockCount = layout.blockCount(blocks);
        for (long block = 0; block < blockCount; block++) {
            append(blocks, block);
        }
    }

    private void append(MemorySegment blocks, long block) {
        int weight = layout.weight(blocks, block);
        if (weight < 1) {
            throw new IllegalArgumentException(
                    "block " + block + " of the segment is no site pattern: weight=" + weight);
        }
        if (groups.isEmpty() || groups.getLast().isFull()) {
            groups.add(new PatternGroup(layout.taxonCount()));
        }
        PatternGroup group = groups.getLast();
        int pattern = group.add(weight);
        for (int taxon = 0; taxon < layout.taxonCount(); taxon++) {
            byte mask = layout.mask(blocks, block, taxon);
            if (mask < 1 || mask > Nucleotides.UNKNOWN) {
                throw new IllegalArgumentException("block " + block + " of the segment is no site pattern: taxon="
                        + taxon + ", mask=" + mask);
            }
            group.setMask(taxon, pattern, mask);
        }
        count++;
    }
}
