package org.restorej.demo.phylo.run;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
    /** Names of more characters are described by their digest: a description is bounded. */
    private static final int MAX_TAXA_TEXT = 10_000;

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
     * What the blocks mean: the taxa in the order of a pattern's bytes, and a digest of all patterns. A checkpoint of
     * other patterns, or of the same rows in another order, has another one.
     */
    public String description() {
        byte[] block = new byte[layout().blockSizeBytes()];
        MessageDigest digest = sha256();
        for (int pattern = 0; pattern < patterns.count(); pattern++) {
            layout().write(patterns, pattern, MemorySegment.ofArray(block));
            digest.update(block);
        }
        String taxa = String.join(",", tree.taxa());
        String shown = taxa.length() <= MAX_TAXA_TEXT
                ? taxa
                : "SHA-256 " + hex(sha256().digest(taxa.getBytes(StandardCharsets.UTF_8)));
        return "taxa " + shown + "; site patterns SHA-256 " + hex(digest.digest());
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
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
