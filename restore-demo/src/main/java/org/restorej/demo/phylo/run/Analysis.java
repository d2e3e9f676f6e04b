package org.restorej.demo.phylo.run;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.restorej.demo.phylo.alignment.Nucleotides;
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

    /**
     * What the blocks and the state mean: the taxa in the order of a pattern's bytes, and a digest of all patterns,
     * tree and model. A checkpoint of others, or of the same rows in another order, has another one.
     */
    public String description() {
        byte[] block = new byte[layout().blockSizeBytes()];
        MessageDigest digest = sha256();
        for (int pattern = 0; pattern < patterns.count(); pattern++) {
            layout().write(patterns, pattern, MemorySegment.ofArray(block));
            digest.update(block);
        }
        digest.update(treeAndModel().toString().getBytes(StandardCharsets.UTF_8));
        return "taxa " + String.join(",", tree.taxa()) + "; SHA-256 of site patterns, tree and model "
                + HexFormat.of().formatHex(digest.digest());
    }

    private List<Double> treeAndModel() {
        List<Double> numbers = new ArrayList<>();
        for (int branch = 0; branch < tree.branchCount(); branch++) {
            int end = tree.firstEnd(branch);
            numbers.addAll(List.of((double) end, (double) tree.otherEnd(branch, end), tree.length(branch)));
        }
        for (int category = 0; category < model.categoryCount(); category++) {
            numbers.add(model.rate(category));
        }
        // A rate matrix and its frequencies follow from the probabilities of any time.
        double[] probabilities = new double[Nucleotides.STATES * Nucleotides.STATES];
        model.substitution().transitionProbabilities(1, probabilities, 0);
        Arrays.stream(probabilities).forEach(numbers::add);
        return numbers;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** The block that has the pattern of a site, {@code 0 <= site < siteCount()}. */
    public long blockOfSite(long site) {
        long copy = site / patterns.siteCount();
        return copy * patterns.count() + patterns.patternOfSite((int) (site % patterns.siteCount()));
    }
}
