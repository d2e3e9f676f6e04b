package org.restorej.demo.phylo.alignment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.restorej.cli.command.InputText;
import org.restorej.demo.phylo.Primates;

class PatternLayoutTest {
    private static final SitePatterns PATTERNS = SitePatterns
            .of(AlignmentReader.parse(new InputText("in", ">a\nAACAR\n>b\nCCTCG\n"), List.of()));
    private static final PatternLayout LAYOUT = new PatternLayout(2);

    @Test
    void compressesEqualColumnsInOrderOfFirstOccurrence() {
        assertEquals(3, PATTERNS.count());
        assertEquals(5, PATTERNS.siteCount());
        assertArrayEquals(new int[]{3, 1, 1}, new int[]{PATTERNS.weight(0), PATTERNS.weight(1), PATTERNS.weight(2)});
        int[] expected = {0, 0, 1, 0, 2};
        for (int site = 0; site < expected.length; site++) {
            assertEquals(expected[site], PATTERNS.patternOfSite(site), "site " + site);
        }
    }

    @Test
    void weightsOfARealAlignmentAddUpToItsSites() {
        SitePatterns patterns = SitePatterns.of(Primates.alignment());
        long sum = 0;
        for (int pattern = 0; pattern < patterns.count(); pattern++) {
            sum += patterns.weight(pattern);
        }
        assertEquals(898, sum);
    }

    @Test
    void writesAByteATaxonThenTheWeightInLittleEndianOverAndOver() {
        MemorySegment blocks = MemorySegment.ofArray(new byte[4 * 6]);
        LAYOUT.write(PATTERNS, 2 + 3 * 1_000_000_000L, blocks);
        assertArrayEquals(
                new byte[]{5, 4, 1, 0, 0, 0, /**/ 1, 2, 3, 0, 0, 0, /**/ 2, 8, 1, 0, 0, 0, /**/ 5, 4, 1, 0, 0, 0},
                blocks.toArray(ValueLayout.JAVA_BYTE));
        assertEquals(4, LAYOUT.blockCount(blocks));
        assertEquals(8, LAYOUT.mask(blocks, 2, 1));
        assertEquals(3, LAYOUT.weight(blocks, 1));
    }

    @Test
    void refusesSegmentsThatEndWithinABlock() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                () -> LAYOUT.blockCount(MemorySegment.ofArray(new byte[13])));
        assertEquals("a segment of blocks must be a multiple of 6 bytes long: byteSize=13", error.getMessage());
    }
}
