package org.restorej.demo.phylo.run;

import org.restorej.demo.phylo.alignment.PatternLayout;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.model.Model;
import org.restorej.demo.phylo.tree.Tree;

/**
 * What is computed. Tree and model are replicated on all PEs; the patterns are there only to submit them.
 *
 * @param patterns of the alignment
 * @param repeat how many times over the alignment is taken, at least 1
 * @param tree its tips numbered as the rows of the alignment
 * @param model a model with all its parameters
 */
public record Analysis(SitePatterns patterns, int repeat, Tree tree, Model model) {
    /** Checks how often. */
    public Analysis {
        if (repeat < 1) {
            throw new IllegalArgumentException("repeat must be at least 1: repeat=" + repeat);
        }
    }

    /** Number of blocks: one a pattern, in each copy of the alignment. */
    public long blockCount() {
        return (long) patterns.count() * repeat;
    }

    /** Number of sites of all copies. */
    public long siteCount() {
        return (long) patterns.siteCount() * repeat;
    }

    /** How a pattern lies in a block. */
    public PatternLayout layout() {
        return new PatternLayout(patterns.taxonCount());
    }

    /** The block that has the pattern of a site, {@code 0 <= site < siteCount()}. */
    public long blockOfSite(long site) {
        long copy = site / patterns.siteCount();
        return copy * patterns.count() + patterns.patternOfSite((int) (site % patterns.siteCount()));
    }
}
