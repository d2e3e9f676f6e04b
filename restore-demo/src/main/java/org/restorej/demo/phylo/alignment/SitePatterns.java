package org.restorej.demo.phylo.alignment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The different columns of an alignment, in order of first occurrence, and how often each occurs.
 *
 * <p>
 * Equal columns have equal likelihoods, so each is computed once and weighted. Immutable.
 */
public final class SitePatterns {
    private final int taxonCount;
    private final byte[][] columns;
    private final int[] weights;
    private final int[] patternOfSite;

    private SitePatterns(int taxonCount, byte[][] columns, int[] weights, int[] patternOfSite) {
        this.taxonCount = taxonCount;
        this.columns = columns;
        this.weights = weights;
        this.patternOfSite = patternOfSite;
    }

    /** Compresses an alignment; takes time and memory in proportion to it. */
    public static SitePatterns of(Alignment alignment) {
        int taxonCount = alignment.taxonCount();
        int[] patternOfSite = new int[alignment.siteCount()];
        Map<ByteBuffer, Integer> patternOfColumn = new HashMap<>();
        List<byte[]> columns = new ArrayList<>();
        byte[] column = new byte[taxonCount];
        for (int site = 0; site < patternOfSite.length; site++) {
            for (int taxon = 0; taxon < taxonCount; taxon++) {
                column[taxon] = alignment.mask(taxon, site);
            }
            Integer known = patternOfColumn.get(ByteBuffer.wrap(column));
            if (known == null) {
                known = columns.size();
                byte[] copy = column.clone();
                columns.add(copy);
                patternOfColumn.put(ByteBuffer.wrap(copy), known);
            }
            patternOfSite[site] = known;
        }
        int[] weights = new int[columns.size()];
        for (int pattern : patternOfSite) {
            weights[pattern]++;
        }
        return new SitePatterns(taxonCount, columns.toArray(byte[][]::new), weights, patternOfSite);
    }

    /** Number of taxa. */
    public int taxonCount() {
        return taxonCount;
    }

    /** Number of different columns. */
    public int count() {
        return columns.length;
    }

    /** Number of columns of the alignment. */
    public int siteCount() {
        return patternOfSite.length;
    }

    /** Set of states of a taxon in a pattern, 1 to 15. */
    public byte mask(int pattern, int taxon) {
        return columns[pattern][taxon];
    }

    /** Number of sites that have the pattern. */
    public int weight(int pattern) {
        return weights[pattern];
    }

    /** Pattern of a site. */
    public int patternOfSite(int site) {
        return patternOfSite[site];
    }

    /** A pattern's states, one byte a taxon: for the package only, not to be changed. */
    byte[] column(int pattern) {
        return columns[pattern];
    }
}
