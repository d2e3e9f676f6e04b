package org.restorej.internal.coding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.placement.Placement;
import org.restorej.testing.Deep;
import org.restorej.testing.SeededLaw;

/** Every cell comes back from any k others. */
class RowCodeTest {
    private static final int BYTES = 19;

    @Test
    void everyPatternOfLostPartsComesBack() {
        assertEquals(1_757, everyPatternUpTo(8));
    }

    @Deep
    @Test
    void everyPatternOfLostPartsOfUpToTwelveComesBack() {
        everyPatternUpTo(12);
    }

    private static int everyPatternUpTo(int maxParts) {
        int patterns = 0;
        for (int parts = 2; parts <= maxParts; parts++) {
            for (int parityParts = 1; parityParts < parts; parityParts++) {
                try (Arena arena = Arena.ofConfined()) {
                    Row row = new Row(arena, parts - parityParts, parityParts, new Random(parts));
                    for (int lost = 1; lost < 1 << parts; lost++) {
                        if (Integer.bitCount(lost) <= parityParts) {
                            row.checkWithout(lost);
                            patterns++;
                        }
                    }
                }
            }
        }
        return patterns;
    }

    @Test
    void randomPartsOfManyComeBack() {
        SeededLaw.holds(20, random -> {
            int dataParts = 1 + random.nextInt(200);
            int parityParts = 1 + random.nextInt(255 - dataParts);
            try (Arena arena = Arena.ofConfined()) {
                Row row = new Row(arena, dataParts, parityParts, random);
                int[] order = IntStream.range(0, dataParts + parityParts).toArray();
                for (int i = order.length - 1; i > 0; i--) {
                    int other = random.nextInt(i + 1);
                    int moved = order[i];
                    order[i] = order[other];
                    order[other] = moved;
                }
                int[] sources = Arrays.copyOf(order, dataParts);
                Arrays.sort(sources);
                row.check(order[dataParts], sources);
            }
        });
    }

    @Test
    void sumsOfPiecesAreTheParityOfTheRow() {
        try (Arena arena = Arena.ofConfined()) {
            Row row = new Row(arena, 5, 3, new Random(1));
            MemorySegment[] sums = IntStream.range(0, 3).mapToObj(_ -> arena.allocate(BYTES))
                    .toArray(MemorySegment[]::new);
            for (int part = 0; part < 5; part++) {
                for (int at = 0; at < BYTES; at++) {
                    int from = at;
                    row.code.add(part, row.cells[part].asSlice(from, 1),
                            Arrays.stream(sums).map(sum -> sum.asSlice(from, 1)).toArray(MemorySegment[]::new));
                }
            }
            for (int i = 0; i < 3; i++) {
                assertEquals(-1, sums[i].mismatch(row.cells[5 + i]));
            }
        }
    }

    private static final class Row {
        private final Arena arena;
        private final RowCode code;
        private final int dataParts;
        private final MemorySegment[] cells;

        Row(Arena arena, int dataParts, int parityParts, Random random) {
            this.arena = arena;
            this.dataParts = dataParts;
            int parts = dataParts + parityParts;
            code = new RowCode(new CodedLayout(new Placement(parts, 1, parts), dataParts, dataParts, 1));
            cells = new MemorySegment[parts];
            for (int part = 0; part < parts; part++) {
                byte[] bytes = new byte[BYTES];
                random.nextBytes(bytes);
                cells[part] = arena.allocate(BYTES).copyFrom(MemorySegment.ofArray(bytes));
            }
            code.encode(Arrays.copyOf(cells, dataParts), Arrays.copyOfRange(cells, dataParts, parts));
        }

        /** The bits of {@code lost} are parts. */
        void checkWithout(int lost) {
            int[] left = IntStream.range(0, cells.length).filter(part -> (lost >>> part & 1) == 0).toArray();
            int[] sources = Arrays.copyOfRange(left, left.length - dataParts, left.length);
            for (int part = 0; part < cells.length; part++) {
                if ((lost >>> part & 1) == 1) {
                    check(part, sources);
                }
            }
        }

        void check(int part, int[] sources) {
            MemorySegment decoded = arena.allocate(BYTES);
            code.decode(part, sources,
                    IntStream.of(sources).mapToObj(source -> cells[source]).toArray(MemorySegment[]::new), decoded);
            assertEquals(-1, decoded.mismatch(cells[part]),
                    () -> "part " + part + " of " + dataParts + " data parts from " + Arrays.toString(sources));
        }
    }
}
