package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.Checksum;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

/** Whoever submits what of a row: the parity that arrives at a holder, summed up, is that of the row. */
class RowParityTest {
    private static final int BLOCK_BYTES = 3;

    /** What arrives at the holders of parity in one submission by all PEs. */
    private static final class Submitted {
        private final CodedScenario scenario;
        private final CodedLayout layout;
        private final RowCode code;
        private final Arena arena;
        private final byte[] content;
        private final Map<Long, byte[]> cells = new HashMap<>();
        private final Set<Long> wholeCells = new HashSet<>();
        private long parityBlocks;

        Submitted(CodedScenario scenario, Arena arena, Random random) {
            this.scenario = scenario;
            this.arena = arena;
            layout = scenario.layout();
            code = new RowCode(layout);
            content = new byte[(int) layout.blockCount() * BLOCK_BYTES];
            random.nextBytes(content);
        }

        private BlockDirectory directory() {
            return scenario.directory();
        }

        private SourceRuns.Run run(BlockRange blocks) {
            MemorySegment bytes = arena.allocate(blocks.count() * BLOCK_BYTES);
            MemorySegment.copy(content, (int) blocks.first() * BLOCK_BYTES, bytes, ValueLayout.JAVA_BYTE, 0,
                    (int) bytes.byteSize());
            return new SourceRuns.Run(blocks, new UniformLayout(blocks.count(), BLOCK_BYTES), 0, bytes);
        }

        /** One PE submits these runs in one round. */
        void submit(List<BlockRange> blocks) {
            Peers peers = new Peers(0, scenario.peCount(), rank -> rank);
            SourceRuns sources = new SourceRuns(blocks.stream().map(this::run).toList());
            receive(new SubmitPlanner(directory(), peers, true, null, code).plan(sources, arena));
        }

        private void receive(SubmitPlan plan) {
            PieceTable pieces = plan.pieces();
            for (int group = 0; group < pieces.peerCount(); group++) {
                for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
                    long position = pieces.position(piece);
                    if (layout.isContribution(position) || layout.isParity(position)) {
                        MemorySegment bytes = plan.bytes().at(pieces.slot(piece), pieces.count(piece));
                        receive(pieces.peer(group), position, pieces.count(piece), bytes);
                        if (!layout.isContribution(position) && pieces.count(piece) == layout.cellBlocks()) {
                            assertTrue(IntStream.of(plan.checksums().toArray(ValueLayout.JAVA_INT))
                                    .anyMatch(checksum -> checksum == Checksum.of(bytes)), "its checksum");
                        }
                    }
                }
            }
        }

        private void receive(int holder, long position, long count, MemorySegment bytes) {
            boolean whole = !layout.isContribution(position);
            long cell = whole ? position : layout.parityCell(position);
            assertEquals(0, cell % layout.cellBlocks());
            assertEquals(directory().replicaMap().holderOfPart(cell), holder);
            if (whole) {
                assertTrue(wholeCells.add(cell), "parity of a whole row comes once");
            }
            long offset = whole ? 0 : layout.contributor(position) % layout.cellBlocks();
            assertEquals(bytes.byteSize() / BLOCK_BYTES, count);
            byte[] sum = cells.computeIfAbsent(cell, _ -> new byte[(int) layout.cellBlocks() * BLOCK_BYTES]);
            for (int i = 0; i < bytes.byteSize(); i++) {
                sum[(int) offset * BLOCK_BYTES + i] ^= bytes.get(ValueLayout.JAVA_BYTE, i);
            }
            parityBlocks += bytes.byteSize() / BLOCK_BYTES;
        }

        private MemorySegment dataCell(long row, int part) {
            MemorySegment cell = arena.allocate(layout.cellBlocks() * BLOCK_BYTES);
            long first = layout.cell(row, part);
            for (int i = 0; i < layout.blocksIn(row, part); i++) {
                int id = (int) directory().permutation().blockAt(first + i);
                MemorySegment.copy(content, id * BLOCK_BYTES, cell, ValueLayout.JAVA_BYTE, (long) i * BLOCK_BYTES,
                        BLOCK_BYTES);
            }
            return cell;
        }

        private byte[][] parityOf(long row) {
            MemorySegment[] parity = IntStream.range(0, layout.parityParts())
                    .mapToObj(_ -> arena.allocate(layout.cellBlocks() * BLOCK_BYTES)).toArray(MemorySegment[]::new);
            code.encode(IntStream.range(0, layout.dataParts()).mapToObj(part -> dataCell(row, part))
                    .toArray(MemorySegment[]::new), parity);
            return Arrays.stream(parity).map(cell -> cell.toArray(ValueLayout.JAVA_BYTE)).toArray(byte[][]::new);
        }

        void check() {
            for (long row = 0; row < layout.rowCount(); row++) {
                byte[][] expected = parityOf(row);
                for (int i = 0; i < expected.length; i++) {
                    long cell = layout.cell(row, layout.dataParts() + i);
                    if (directory().replicaMap().holderOfPart(cell) == BlockDirectory.LOST) {
                        assertNull(cells.get(cell), "nobody gets it");
                    } else {
                        assertArrayEquals(expected[i], cells.get(cell), "parity " + i + " of row " + row);
                    }
                }
            }
        }
    }

    /** All blocks, cut into runs. */
    private static List<BlockRange> runs(long blocks, Random random) {
        List<BlockRange> runs = new ArrayList<>();
        long first = 0;
        while (first < blocks) {
            long count = Math.min(blocks - first, 1 + random.nextLong(1 + random.nextLong(blocks)));
            runs.add(BlockRange.of(first, count));
            first += count;
        }
        return runs;
    }

    private static CodedScenario withLosses(Random random) {
        CodedScenario whole = CodedScenario.random(random);
        return random.nextBoolean()
                ? whole
                : whole.without(
                        Failures.some(whole.peCount(), 1 + random.nextInt(whole.layout().parityParts()), random));
    }

    @Test
    void itAddsUpWhoeverSubmitsWhat() {
        SeededLaw.holds(300, random -> {
            try (Arena arena = Arena.ofConfined()) {
                Submitted submitted = new Submitted(withLosses(random), arena, random);
                List<List<BlockRange>> byPe = new ArrayList<>();
                IntStream.range(0, 3).forEach(_ -> byPe.add(new ArrayList<>()));
                runs(submitted.layout.blockCount(), random).forEach(run -> byPe.get(random.nextInt(3)).add(run));
                byPe.forEach(submitted::submit);
                submitted.check();
            }
        });
    }

    /** m / k of the bytes of whole rows. */
    @Test
    void whoSubmitsAllSendsTheParityOfEachRowOnce() {
        SeededLaw.holds(300, random -> {
            try (Arena arena = Arena.ofConfined()) {
                Submitted submitted = new Submitted(CodedScenario.random(random), arena, random);
                CodedLayout layout = submitted.layout;
                submitted.submit(List.of(BlockRange.of(0, layout.blockCount())));
                submitted.check();
                if (submitted.scenario.isInOrder()) {
                    long parity = LongStream.range(0, layout.rowCount()).map(row -> layout.blocksIn(row, 0)).sum();
                    assertEquals(layout.parityParts() * parity, submitted.parityBlocks);
                }
            }
        });
    }

}
