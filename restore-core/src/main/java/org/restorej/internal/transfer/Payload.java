package org.restorej.internal.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.SubmitPlan;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ByteRuns;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.UniformLayout;

/** The bytes of pieces that move in one operation: where they come from, where they go, and what follows the blocks. */
sealed interface Payload {
    /** What is sent to the PE of a group. */
    ByteRuns toSend(PieceTable pieces, int group);

    /** Where all goes that the PE of a group sends. */
    ByteRuns toReceive(PieceTable pieces, int group);

    /** Copies the pieces that stay on this PE. */
    default void copyOwn(PieceTable pieces, int rank) {
        int own = pieces.groupOf(rank);
        if (own >= 0) {
            copy(pieces, own);
        }
    }

    /** Copies the pieces of a group that stay on this PE. */
    default void copy(PieceTable pieces, int group) {
        ByteRuns.copy(toSend(pieces, group), toReceive(pieces, group));
    }

    /**
     * Blocks of the application that become replicas, followed by their checksums where there are any.
     *
     * @param plan of the round
     * @param checksums of the plan, off-heap
     * @param target this PE's replicas
     * @param sealed whether checksums follow the blocks
     */
    record Submitted(SubmitPlan plan, MemorySegment checksums, BlockMemory target, boolean sealed) implements Payload {
        /** Makes the checksums ready to be sent, in memory of an allocator. */
        static Submitted of(SubmitPlan plan, SegmentAllocator allocator, BlockMemory target, boolean sealed) {
            return new Submitted(plan, allocator.allocateFrom(ValueLayout.JAVA_INT, plan.checksums().toIntArray()),
                    target, sealed);
        }

        @Override
        public ByteRuns toSend(PieceTable pieces, int group) {
            ByteRuns blocks = plan.sources().blocks(pieces, group);
            PieceTable trailers = plan.checksumPieces();
            int trailer = trailers.groupOf(pieces.peer(group));
            return trailer < 0
                    ? blocks
                    : ByteRuns.concat(blocks, trailers.slots(trailer, checksums,
                            new UniformLayout(plan.checksums().size(), Integer.BYTES)));
        }

        @Override
        public ByteRuns toReceive(PieceTable pieces, int group) {
            return replicas(pieces, group, target, sealed);
        }
    }

    /**
     * Replicas that go to new holders, checked before they are sent and followed by their checksums where there are
     * any.
     *
     * @param source this PE's replicas
     * @param target the same memory, with room for what comes
     */
    record Replicas(CheckedMemory source, ReplicaMemory target) implements Payload {
        @Override
        public ByteRuns toSend(PieceTable pieces, int group) {
            checkSource(source, pieces, group);
            return replicas(pieces, group, source.memory(), source.checks());
        }

        @Override
        public ByteRuns toReceive(PieceTable pieces, int group) {
            return replicas(pieces, group, target, source.checks());
        }
    }

    /**
     * Replicas that go to who wants the blocks, checked before they are sent. Eight bytes follow that say whether all
     * of them fit their checksums, where there are any. They are sent with the blocks and not afterwards, since the
     * sender may die in between, and its damaged bytes would pass for sound. One thread.
     */
    final class Wanted implements Payload {
        private static final MemorySegment SOUND = trailer(0);
        private static final MemorySegment DAMAGED = trailer(1);

        private final CheckedMemory source;
        private final MemorySegment destination;
        private final BlockLayout layout;
        private final SegmentAllocator allocator;
        private final List<MemorySegment> trailers = new ArrayList<>();
        private boolean copiedSound = true;

        /**
         * A payload.
         *
         * @param source this PE's replicas
         * @param destination off-heap memory for what this PE wants
         * @param layout of the slots in it
         * @param allocator gives memory for what follows the blocks
         */
        Wanted(CheckedMemory source, MemorySegment destination, BlockLayout layout, SegmentAllocator allocator) {
            this.source = source;
            this.destination = destination;
            this.layout = layout;
            this.allocator = allocator;
        }

        private static MemorySegment trailer(long value) {
            MemorySegment memory = Arena.global().allocate(ValueLayout.JAVA_LONG);
            memory.set(ValueLayout.JAVA_LONG, 0, value);
            return memory;
        }

        @Override
        public ByteRuns toSend(PieceTable pieces, int group) {
            boolean sound = checkSource(source, pieces, group);
            ByteRuns blocks = pieces.blocks(group, source.memory());
            return source.checks() ? ByteRuns.concat(blocks, ByteRuns.of(sound ? SOUND : DAMAGED)) : blocks;
        }

        @Override
        public ByteRuns toReceive(PieceTable pieces, int group) {
            ByteRuns blocks = pieces.slots(group, destination, layout);
            if (!source.checks()) {
                return blocks;
            }
            trailers.add(allocator.allocate(ValueLayout.JAVA_LONG));
            return ByteRuns.concat(blocks, ByteRuns.of(trailers.getLast()));
        }

        /** {@inheritDoc} Each piece right after it was checked, while the cache still has it. */
        @Override
        public void copy(PieceTable pieces, int group) {
            ByteRuns blocks = pieces.blocks(group, source.memory());
            ByteRuns copies = pieces.slots(group, destination, layout);
            for (int run = 0; run < blocks.count(); run++) {
                int piece = pieces.start(group) + run;
                copiedSound &= source.check(pieces.position(piece), pieces.count(piece));
                copies.segment(run).copyFrom(blocks.segment(run));
            }
        }

        /** Whether all that has come to this PE fits its checksums, as those say who have read it. */
        boolean allSound() {
            for (MemorySegment trailer : trailers) {
                if (trailer.get(ValueLayout.JAVA_LONG, 0) != 0) {
                    return false;
                }
            }
            return copiedSound;
        }
    }

    private static ByteRuns replicas(PieceTable pieces, int group, BlockMemory memory, boolean checksums) {
        ByteRuns blocks = pieces.blocks(group, memory);
        return checksums ? ByteRuns.concat(blocks, pieces.checksums(group, memory)) : blocks;
    }

    /** Checks what a group's PE gets, and says whether it is sound. */
    private static boolean checkSource(CheckedMemory source, PieceTable pieces, int group) {
        boolean sound = true;
        for (int piece = pieces.start(group); source.checks() && piece < pieces.start(group + 1); piece++) {
            sound &= source.check(pieces.position(piece), pieces.count(piece));
        }
        return sound;
    }
}
