package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockMemory;

/**
 * Pieces of block data grouped by the PE they go to or come from: runs of consecutive positions, each with the slot of
 * its first block in the memory of the application. Immutable; flat arrays, grouped by counting, in the order in which
 * they were added to each group.
 */
final class PieceTable {
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
    int peerCount() {
        return peers.length;
    }

    /** Current rank of a group's PE, {@code 0 <= group < peerCount()}; ascending. */
    int peer(int group) {
        return peers[group];
    }

    /** Index of a group's first piece; of group {@code peerCount()} the number of all pieces. */
    int start(int group) {
        return starts[group];
    }

    long position(int piece) {
        return positions[piece];
    }

    long count(int piece) {
        return counts[piece];
    }

    long slot(int piece) {
        return slots[piece];
    }

    /** Length of a group's message. */
    long wireBytes(int group) {
        return (long) (starts[group + 1] - starts[group]) * WIRE_BYTES;
    }

    /** Writes the positions and counts of a group, 16 bytes a piece in native byte order. */
    void encode(int group, MemorySegment into) {
        long offset = 0;
        for (int piece = starts[group]; piece < starts[group + 1]; piece++) {
            into.set(WIRE_LONG, offset, positions[piece]);
            into.set(WIRE_LONG, offset + Long.BYTES, counts[piece]);
            offset += WIRE_BYTES;
        }
    }

    /** Reads what {@link #encode} has written: one group, without slots. */
    static PieceTable decode(int peer, MemorySegment message) {
        int pieces = Math.toIntExact(message.byteSize() / WIRE_BYTES);
        long[] positions = new long[pieces];
        long[] counts = new long[pieces];
        for (int piece = 0; piece < pieces; piece++) {
            positions[piece] = message.get(WIRE_LONG, (long) piece * WIRE_BYTES);
            counts[piece] = message.get(WIRE_LONG, (long) piece * WIRE_BYTES + Long.BYTES);
        }
        return new PieceTable(new int[]{peer}, new int[]{0, pieces}, positions, counts, new long[0]);
    }

    /** The group of a PE, or -1 when it has no pieces. */
    int groupOf(int peer) {
        return Math.max(-1, Arrays.binarySearch(peers, peer));
    }

    /** The bytes of a group's pieces. */
    ByteRuns runs(int group, PieceMemory memory) {
        int first = starts[group];
        int count = starts[group + 1] - first;
        return new ByteRuns() {
            @Override
            public int count() {
                return count;
            }

            @Override
            public long bytes(int run) {
                return memory.bytes(PieceTable.this, first + run);
            }

            @Override
            public MemorySegment segment(int run) {
                return memory.at(PieceTable.this, first + run);
            }
        };
    }

    /** Finds the memory of a piece. */
    interface PieceMemory {
        MemorySegment at(PieceTable pieces, int piece);

        /** Its length. */
        long bytes(PieceTable pieces, int piece);

        /** The pieces' blocks. */
        static PieceMemory blocks(BlockMemory memory) {
            return new PieceMemory() {
                @Override
                public MemorySegment at(PieceTable pieces, int piece) {
                    return memory.at(pieces.position(piece), pieces.count(piece));
                }

                @Override
                public long bytes(PieceTable pieces, int piece) {
                    return memory.bytes(pieces.position(piece), pieces.count(piece));
                }
            };
        }

        /** The checksums of the chunks that lie in the pieces as a whole. */
        static PieceMemory checksums(BlockMemory memory) {
            return new PieceMemory() {
                @Override
                public MemorySegment at(PieceTable pieces, int piece) {
                    return memory.checksums(pieces.position(piece), pieces.count(piece));
                }

                @Override
                public long bytes(PieceTable pieces, int piece) {
                    return at(pieces, piece).byteSize();
                }
            };
        }

        /** Blocks at their slots, in memory where the slots follow each other. */
        static PieceMemory slots(MemorySegment memory, BlockLayout layout) {
            return new PieceMemory() {
                @Override
                public MemorySegment at(PieceTable pieces, int piece) {
                    return memory.asSlice(layout.offset(pieces.slot(piece)), bytes(pieces, piece));
                }

                @Override
                public long bytes(PieceTable pieces, int piece) {
                    return layout.bytes(pieces.slot(piece), pieces.count(piece));
                }
            };
        }
    }

    /** Collects pieces in any order of PEs. One thread. */
    static final class Builder {
        private final IntArrayList peers = new IntArrayList();
        private final LongArrayList positions = new LongArrayList();
        private final LongArrayList counts = new LongArrayList();
        private final LongArrayList slots = new LongArrayList();

        void add(int peer, long position, long count, long slot) {
            peers.add(peer);
            positions.add(position);
            counts.add(count);
            slots.add(slot);
        }

        int size() {
            return peers.size();
        }

        /**
         * Groups the pieces. Linear in pieces and PEs.
         *
         * @param peerLimit PEs are below this
         */
        PieceTable build(int peerLimit) {
            int[] next = new int[peerLimit + 1];
            peers.forEach((int peer) -> next[peer + 1]++);
            IntArrayList present = new IntArrayList();
            IntArrayList starts = new IntArrayList();
            for (int peer = 0; peer < peerLimit; peer++) {
                if (next[peer + 1] > 0) {
                    present.add(peer);
                    starts.add(next[peer]);
                }
                next[peer + 1] += next[peer];
            }
            starts.add(size());
            long[] groupedPositions = new long[size()];
            long[] groupedCounts = new long[size()];
            long[] groupedSlots = new long[size()];
            for (int i = 0; i < size(); i++) {
                int piece = next[peers.getInt(i)]++;
                groupedPositions[piece] = positions.getLong(i);
                groupedCounts[piece] = counts.getLong(i);
                groupedSlots[piece] = slots.getLong(i);
            }
            return new PieceTable(present.toIntArray(), starts.toIntArray(), groupedPositions, groupedCounts,
                    groupedSlots);
        }
    }
}
