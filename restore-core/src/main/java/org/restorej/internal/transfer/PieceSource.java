package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.plan.PieceMemory;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.SubmitPlan;
import org.restorej.internal.storage.ByteRuns;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.UniformLayout;

/** Where the bytes of pieces come from that a PE sends, and what follows them. */
sealed interface PieceSource {
    /** What is sent to the PE of a group. */
    ByteRuns toSend(PieceTable pieces, int group);

    /** Copies the pieces of a group that stay on this PE. */
    default void copyTo(PieceTarget target, PieceTable pieces, int group) {
        ByteRuns.copy(toSend(pieces, group), target.toReceive(pieces, group));
    }

    /**
     * Blocks of the application, followed by their checksums.
     *
     * @param plan of the round
     * @param checksums finds the checksums
     */
    record Submitted(SubmitPlan plan, PieceMemory checksums) implements PieceSource {
        /**
         * Makes the checksums ready to be sent.
         *
         * @param allocator of their memory
         */
        static Submitted of(SubmitPlan plan, SegmentAllocator allocator) {
            MemorySegment memory = allocator.allocateFrom(ValueLayout.JAVA_INT, plan.checksums().toIntArray());
            return new Submitted(plan,
                    PieceMemory.slots(memory, new UniformLayout(plan.checksums().size(), Integer.BYTES)));
        }

        @Override
        public ByteRuns toSend(PieceTable pieces, int group) {
            ByteRuns blocks = pieces.runs(group, plan.blocks());
            int trailer = plan.checksumPieces().groupOf(pieces.peer(group));
            return trailer < 0 ? blocks : ByteRuns.concat(blocks, plan.checksumPieces().runs(trailer, checksums));
        }
    }

    /**
     * Replicas, checked before they are sent, followed by whether they are sound.
     *
     * @param memory this PE's replicas
     */
    record Read(CheckedMemory memory) implements PieceSource {
        @Override
        public ByteRuns toSend(PieceTable pieces, int group) {
            boolean sound = isSound(memory, pieces, group);
            ByteRuns blocks = pieces.runs(group, PieceMemory.blocks(memory.memory()));
            return memory.checks() ? ByteRuns.concat(blocks, IntegrityTrailer.toSend(sound)) : blocks;
        }

        /** {@inheritDoc} Each piece right after it was checked, while the cache still has it. */
        @Override
        public void copyTo(PieceTarget target, PieceTable pieces, int group) {
            ByteRuns blocks = pieces.runs(group, PieceMemory.blocks(memory.memory()));
            ByteRuns copies = target.toReceive(pieces, group);
            boolean sound = true;
            for (int run = 0; run < blocks.count(); run++) {
                int piece = pieces.start(group) + run;
                sound &= memory.check(pieces.position(piece), pieces.count(piece));
                copies.segment(run).copyFrom(blocks.segment(run));
            }
            if (memory.checks()) {
                copies.segment(blocks.count()).copyFrom(IntegrityTrailer.toSend(sound).segment(0));
            }
        }
    }

    /**
     * Replicas, checked before they are sent, followed by their checksums where there are any.
     *
     * @param memory this PE's replicas
     */
    record Replicas(CheckedMemory memory) implements PieceSource {
        @Override
        public ByteRuns toSend(PieceTable pieces, int group) {
            isSound(memory, pieces, group);
            ByteRuns blocks = pieces.runs(group, PieceMemory.blocks(memory.memory()));
            return memory.checks()
                    ? ByteRuns.concat(blocks, pieces.runs(group, PieceMemory.checksums(memory.memory())))
                    : blocks;
        }
    }

    private static boolean isSound(CheckedMemory memory, PieceTable pieces, int group) {
        boolean sound = true;
        for (int piece = pieces.start(group); memory.checks() && piece < pieces.start(group + 1); piece++) {
            sound &= memory.check(pieces.position(piece), pieces.count(piece));
        }
        return sound;
    }
}
