package org.restorej.redset.internal.coding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.ChunkLayout;
import org.restorej.testing.SeededRandom;
import org.restorej.internal.erasure.ProductsByDefinition;
import org.restorej.internal.erasure.GaloisMatrix;

/** One byte a cell: what a plan computes must be what was there. */
class RowPlanTest {
    @Test
    void rebuildsEveryCellFromEveryErasureSubsetUpToEightRanks() {
        SeededRandom random = SeededRandom.forTest("rebuildsEveryCellFromEveryErasureSubsetUpToEightRanks");
        int subsets = 0;
        for (int ranks = 2; ranks <= 8; ranks++) {
            for (Scheme.Coded scheme : schemes(ranks)) {
                GaloisMatrix parity = RowPlan.parity(scheme, ranks);
                for (int row = 0; row < ranks; row++) {
                    byte[] cells = encodedRow(random, scheme, parity, ranks, row);
                    for (int mask = 1; mask < 1 << ranks; mask++) {
                        BitSet missing = BitSet.valueOf(new long[]{mask});
                        if (scheme.canRebuild(missing, ranks)) {
                            checkRebuild(scheme, parity, row, cells, missing);
                            subsets++;
                        }
                    }
                }
            }
        }
        assertEquals(true, subsets > 5_000, "subsets " + subsets);
    }

    @Test
    void rebuildsTheLargestSets() {
        SeededRandom random = SeededRandom.forTest("rebuildsTheLargestSets");
        for (int[] numbers : new int[][]{{254, 2}, {129, 127}, {128, 127}, {200, 56}}) {
            Scheme.Coded scheme = new Scheme.ReedSolomon(numbers[1]);
            int ranks = numbers[0];
            GaloisMatrix parity = RowPlan.parity(scheme, ranks);
            int row = random.nextInt(ranks);
            BitSet missing = new BitSet();
            while (missing.cardinality() < numbers[1]) {
                missing.set(random.nextInt(ranks));
            }
            checkRebuild(scheme, parity, row, encodedRow(random, scheme, parity, ranks, row), missing);
        }
    }

    @Test
    void refusesMoreThanTheSchemeCanBear() {
        Scheme.Coded scheme = new Scheme.Xor();
        GaloisMatrix parity = RowPlan.parity(scheme, 3);
        BitSet two = BitSet.valueOf(new long[]{3});
        assertThrows(IllegalArgumentException.class, () -> RowPlan.rebuild(scheme, 3, parity, 0, two));
        assertThrows(IllegalArgumentException.class, () -> RowPlan.rebuild(scheme, 3, parity, 0, new BitSet()));
    }

    private static List<Scheme.Coded> schemes(int ranks) {
        List<Scheme.Coded> schemes = new ArrayList<>(List.of(new Scheme.Xor()));
        for (int checksums = 1; checksums < ranks; checksums++) {
            schemes.add(new Scheme.ReedSolomon(checksums));
        }
        return schemes;
    }

    private static byte[] encodedRow(SeededRandom random, Scheme.Coded scheme, GaloisMatrix parity, int ranks,
            int row) {
        byte[] cells = random.bytes(ranks);
        ChunkLayout layout = ChunkLayout.of(scheme, ranks);
        for (int rank = 0; rank < ranks; rank++) {
            int checksum = layout.checksumAt(row, rank);
            if (checksum >= 0) {
                byte sum = 0;
                for (int other = 0; other < ranks; other++) {
                    if (layout.checksumAt(row, other) < 0) {
                        sum ^= (byte) ProductsByDefinition.product(parity.at(checksum, other), cells[other] & 0xFF);
                    }
                }
                cells[rank] = sum;
            }
        }
        assertRow(cells, RowPlan.encode(scheme, ranks, parity, row), "encode");
        return cells;
    }

    private static void checkRebuild(Scheme.Coded scheme, GaloisMatrix parity, int row, byte[] cells, BitSet missing) {
        RowPlan plan = RowPlan.rebuild(scheme, cells.length, parity, row, missing);
        assertEquals(missing.cardinality(), plan.targetRanks().length);
        for (int source : plan.sourceRanks()) {
            assertEquals(false, missing.get(source), "a missing rank is read");
        }
        assertRow(cells, plan, scheme + ", row " + row + ", missing " + missing);
    }

    private static void assertRow(byte[] cells, RowPlan plan, String what) {
        for (int target = 0; target < plan.targetRanks().length; target++) {
            byte sum = 0;
            for (int source = 0; source < plan.sourceRanks().length; source++) {
                sum ^= (byte) ProductsByDefinition.product(plan.matrix().at(target, source),
                        cells[plan.sourceRanks()[source]] & 0xFF);
            }
            assertEquals(cells[plan.targetRanks()[target]], sum, what);
        }
    }
}
