package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.testing.SeededLaw;

class PieceTableTest {
    private record Piece(long position, long count, long slot) {}

    @Test
    void groupsLikeASortedMapOfLists() {
        SeededLaw.holds(500, random -> {
            int peers = 1 + random.nextInt(6);
            PieceTable.Builder builder = new PieceTable.Builder();
            Map<Integer, List<Piece>> expected = new TreeMap<>();
            long position = 0;
            long slot = 0;
            for (int i = random.nextInt(40); i > 0; i--) {
                position = random.nextInt(3) == 0 ? random.nextInt(1000) : position;
                slot = random.nextInt(3) == 0 ? random.nextInt(1000) : slot;
                int peer = random.nextInt(peers);
                long count = 1L + random.nextInt(5);
                builder.add(peer, position, count, slot);
                expected.computeIfAbsent(peer, _ -> new ArrayList<>()).add(new Piece(position, count, slot));
                position += count;
                slot += count;
            }
            assertEquals(expected, groups(builder.build(peers)));
        });
    }

    @Test
    void aGroupSurvivesItsMessage() {
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(3, 1L << 40, 7, 0);
        builder.add(4, 0, 1L << 33, 7);
        builder.add(4, 12, 1, 3);
        PieceTable table = builder.build(5);
        try (Arena arena = Arena.ofConfined()) {
            for (int group = 0; group < 2; group++) {
                MemorySegment message = arena.allocate(table.wireBytes(group));
                table.encode(group, message);
                PieceTable decoded = PieceTable.decode(9, message);
                assertEquals(1, decoded.peerCount());
                assertEquals(9, decoded.peer(0));
                assertEquals(0, decoded.start(0));
                assertEquals(table.start(group + 1) - table.start(group), decoded.start(1));
                for (int piece = 0; piece < decoded.start(1); piece++) {
                    assertEquals(table.position(table.start(group) + piece), decoded.position(piece));
                    assertEquals(table.count(table.start(group) + piece), decoded.count(piece));
                }
            }
            assertEquals(32, table.wireBytes(1));
        }
    }

    /** Blocks of 3 bytes, and a checksum for each 2 of them. */
    private record Numbered(MemorySegment blocks, MemorySegment sums) implements BlockMemory {
        @Override
        public MemorySegment at(long position, long count) {
            return blocks.asSlice(position * 3, count * 3);
        }

        @Override
        public MemorySegment checksums(long position, long count) {
            return sums.asSlice(position / 2 * 4, count / 2 * 4);
        }
    }

    @Test
    void theRunsOfBlocksOfAnySizesHaveTheSizesOfTheirSlots() {
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(0, 5, 1, 0);
        builder.add(1, 10, 2, 1);
        builder.add(1, 20, 1, 3);
        PieceTable table = builder.build(2);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sizes = arena.allocate(4 * VariableLayout.SIZE_BYTES);
            for (int slot = 0; slot < 4; slot++) {
                VariableLayout.putSize(sizes, slot, 1L << slot);
            }
            MemorySegment memory = arena.allocate(15);
            BlockLayout layout = new VariableLayout(sizes, arena);
            List<MemorySegment> runs = table.bySlot(1, (slot, count) -> layout.slice(memory, slot, count));
            assertEquals(2 + 4, runs.get(0).byteSize());
            assertEquals(8, runs.get(1).byteSize());
            assertEquals(memory.address() + 1, runs.get(0).address());
            assertEquals(memory.address() + 7, runs.get(1).address());
        }
    }

    @Test
    void aGroupIsFoundInAMemoryByItsPositions() {
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(7, 4, 1, 0);
        builder.add(3, 6, 2, 4);
        builder.add(7, 20, 8, 9);
        builder.add(7, 12, 4, 90);
        PieceTable table = builder.build(8);
        try (Arena arena = Arena.ofConfined()) {
            Numbered memory = new Numbered(arena.allocate(90), arena.allocate(60));
            assertEquals(45, table.bytes(piece -> memory.at(table.position(piece), table.count(piece))));
            List<MemorySegment> blocks = table.byPosition(table.groupOf(7), memory::at);
            assertEquals(3, blocks.size());
            assertEquals(24, blocks.get(1).byteSize());
            assertEquals(12, blocks.get(2).byteSize());
            assertEquals(memory.at(20, 8).address(), blocks.get(1).address());
            assertEquals(memory.at(12, 4).address(), blocks.get(2).address());
            // The first piece has no checksum: nothing empty is left in.
            List<MemorySegment> checksums = table.byPosition(table.groupOf(7), memory::checksums);
            assertEquals(2, checksums.size());
            assertEquals(16, checksums.get(0).byteSize());
            assertEquals(8, checksums.get(1).byteSize());
            assertEquals(memory.checksums(20, 8).address(), checksums.get(0).address());
        }
    }

    /** To find it may take a sum of sizes. */
    @Test
    void theMemoryOfEachPieceIsAskedForOnce() {
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(1, 10, 2, 4);
        builder.add(0, 5, 1, 0);
        builder.add(1, 20, 3, 9);
        List<Piece> asked = new ArrayList<>();
        builder.build(2).bySlot(1, (slot, count) -> {
            asked.add(new Piece(0, count, slot));
            return MemorySegment.NULL;
        });
        assertEquals(List.of(new Piece(0, 2, 4), new Piece(0, 3, 9)), asked);
    }

    @Test
    void aPeWithoutPiecesHasNoGroup() {
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(7, 4, 1, 0);
        builder.add(3, 6, 2, 4);
        PieceTable table = builder.build(8);
        assertEquals(0, table.groupOf(3));
        assertEquals(1, table.groupOf(7));
        for (int peer : new int[]{0, 4, 8}) {
            assertEquals(-1, table.groupOf(peer));
        }
    }

    @Test
    void aPeBeyondTheLimitIsRejected() {
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(2, 0, 1, 0);
        assertThrows(IndexOutOfBoundsException.class, () -> builder.build(2));
    }

    private static Map<Integer, List<Piece>> groups(PieceTable table) {
        Map<Integer, List<Piece>> groups = new TreeMap<>();
        int peerBefore = -1;
        for (int group = 0; group < table.peerCount(); group++) {
            assertEquals(1, Integer.signum(table.peer(group) - peerBefore), "groups ascend");
            peerBefore = table.peer(group);
            List<Piece> pieces = new ArrayList<>();
            for (int piece = table.start(group); piece < table.start(group + 1); piece++) {
                pieces.add(new Piece(table.position(piece), table.count(piece), table.slot(piece)));
            }
            groups.put(table.peer(group), pieces);
        }
        return groups;
    }
}
