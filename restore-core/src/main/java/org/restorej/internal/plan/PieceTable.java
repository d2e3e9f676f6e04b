package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.Objects;

/**
 * Pieces of block data, grouped by the PE to or from which they move. A piece is a run of consecutive positions with
 * the slot of its first block in the memory of the application. Immutable; flat arrays, in the order in which pieces
 * were added to each group.
 */
public final class PieceTable {
    private static final ValueLayout.OfLong WIRE_LONG = ValueLayout.JAVA_LONG;
    private static final int WIRE_BYTES = 2 * Long.BYTES;

    private final int[] peers;
    private final int[] starts;
    private final long[] positions;
    private final long[] counts;
    private final long[] slots;

    private PieceTable(int[] peers, int[] starts, long[] positions, long[] counts, long[] slots) {
        this.peers = peers;
        this.starts = starts;
        this.positions = positions;
        this.counts = counts;
        this.slots = slots;
    }

    /** Number of PEs that have pieces. */
    public int peerCount() {
        return peers.length;
    }

    /** Current rank of a group's PE, {@code 0 <= group < peerCount()}; ascending. */
    public int peer(int group) {
        return peers[group];
    }

    /** Index of a group's first piece; for group {@code peerCount()} the number of all pieces. */
    public int start(int group) {
        return starts[group];
    }

    /** First position of a piece. */
    public long position(int piece) {
        return positions[piece];
    }

    public long count(int piece) {
        return counts[piece];
    }

    /** Slot of the first block of a piece. */
    public long slot(int piece) {
        return slots[piece];
    }

    public int size() {
        return starts[peers.length];
    }

    public long wireBytes(int group) {
        return (long) (starts[group + 1] - starts[group]) * WIRE_BYTES;
    }

    /** Writes the positions and counts of a group, 16 bytes a piece in native byte order. */
    public void encode(int group, MemorySegment into) {
        long offset = 0;
        for (int piece = starts[group]; piece < starts[group + 1]; piece++) {
            into.set(WIRE_LONG, offset, positions[piece]);
            into.set(WIRE_LONG, offset + Long.BYTES, counts[piece]);
            offset += WIRE_BYTES;
        }
    }

    /** Decodes the message of {@link #encode}: one group, without slots. */
    public static PieceTable decode(int peer, MemorySegment message) {
        int pieces = Math.toIntExact(message.byteSize() / WIRE_BYTES);
        long[] positions = new long[pieces];
        long[] counts = new long[pieces];
        for (int piece = 0; piece < pieces; piece++) {
            positions[piece] = message.get(WIRE_LONG, (long) piece * WIRE_BYTES);
            counts[piece] = message.get(WIRE_LONG, (long) piece * WIRE_BYTES + Long.BYTES);
        }
        return new PieceTable(new int[]{peer}, new int[]{0, pieces}, positions, counts, new long[0]);
    }

    /** The group of a PE, or -1 if it has no pieces. */
    public int groupOf(int peer) {
        return Math.max(-1, Arrays.binarySearch(peers, peer));
    }

    /** The memory of the bytes of pieces. */
    @FunctionalInterface
    public interface PieceMemory {
        /** The memory of consecutive positions, or slots, off-heap. */
        MemorySegment at(long first, long count);
    }

    /** The memory of a group's pieces, found by their positions, without empty segments. */
    public List<MemorySegment> byPosition(int group, PieceMemory memory) {
        return memoryOf(group, positions, memory);
    }

    /** The memory of a group's pieces, found by their slots, without empty segments. */
    public List<MemorySegment> bySlot(int group, PieceMemory memory) {
        return memoryOf(group, slots, memory);
    }

    /** Total bytes of the memory of all pieces, found by their indices. */
    public long bytes(IntFunction<MemorySegment> memory) {
        long bytes = 0;
        for (int piece = 0; piece < size(); piece++) {
            bytes += memory.apply(piece).byteSize();
        }
        return bytes;
    }

    private List<MemorySegment> memoryOf(int group, long[] firsts, PieceMemory memory) {
        List<MemorySegment> found = new ArrayList<>();
        for (int piece = starts[group]; piece < starts[group + 1]; piece++) {
            MemorySegment bytes = memory.at(firsts[piece], counts[piece]);
            if (bytes.byteSize() > 0) {
                found.add(bytes);
            }
        }
        return found;
    }

    /** Collects pieces for PEs in any order. Memory is linear in the pieces, for any number of PEs. Not thread-safe. */
    public static final class Builder {
        /** Numbers the PEs in the order of their first pieces. */
        private final Int2IntOpenHashMap numberOf = new Int2IntOpenHashMap();
        private final IntArrayList numbers = new IntArrayList();
        /** Number of pieces of each PE. */
        private final IntArrayList sizes = new IntArrayList();
        private final LongArrayList positions = new LongArrayList();
        private final LongArrayList counts = new LongArrayList();
        private final LongArrayList slots = new LongArrayList();

        Builder() {
            numberOf.defaultReturnValue(-1);
        }

        void add(int peer, long position, long count, long slot) {
            int number = numberOf.putIfAbsent(peer, sizes.size());
            if (number < 0) {
                number = sizes.size();
                sizes.add(0);
            }
            sizes.set(number, sizes.getInt(number) + 1);
            numbers.add(number);
            positions.add(position);
            counts.add(count);
            slots.add(slot);
        }

        int size() {
            return positions.size();
        }

        /**
         * Groups the pieces. Takes time linear in the pieces and in their PEs, plus sorting of these PEs.
         *
         * @param peerLimit upper bound of PEs, exclusive
         */
        PieceTable build(int peerLimit) {
            int[] present = numberOf.keySet().toIntArray();
            Arrays.sort(present);
            if (present.length > 0) {
                Objects.checkIndex(present[present.length - 1], peerLimit);
            }
            int[] starts = new int[present.length + 1];
            int[] next = new int[present.length];
            for (int group = 0; group < present.length; group++) {
                int number = numberOf.get(present[group]);
                next[number] = starts[group];
                starts[group + 1] = starts[group] + sizes.getInt(number);
            }
            long[] groupedPositions = new long[size()];
            long[] groupedCounts = new long[size()];
            long[] groupedSlots = new long[size()];
            for (int i = 0; i < size(); i++) {
                int piece = next[numbers.getInt(i)]++;
                groupedPositions[piece] = positions.getLong(i);
                groupedCounts[piece] = counts.getLong(i);
                groupedSlots[piece] = slots.getLong(i);
            }
            return new PieceTable(present, starts, groupedPositions, groupedCounts, groupedSlots);
        }
    }
}
