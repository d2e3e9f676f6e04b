package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.plan.SubmitPlan;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * The bytes of pieces that move in one operation: their sources, their destinations, and what follows the blocks. Both
 * sides of a group have runs of the same lengths in the same order, none of them empty.
 */
sealed interface Payload permits Payload.Submitted, Payload.Replicas, ReadPayload {
    /** The runs to be sent to a group's PE. */
    List<MemorySegment> toSend(PieceTable pieces, int group);

    /** The destinations of the runs that a group's PE sends. */
    List<MemorySegment> toReceive(PieceTable pieces, int group);

    /** Copies the pieces of a group that stays on this PE. */
    default void copy(PieceTable pieces, int group) {
        List<MemorySegment> sources = toSend(pieces, group);
        List<MemorySegment> targets = toReceive(pieces, group);
        for (int run = 0; run < targets.size(); run++) {
            targets.get(run).copyFrom(sources.get(run));
        }
    }

    /** Whether everything that was received matches its checksums, according to the PEs that have read it. */
    default boolean allSound() {
        return true;
    }

    /**
     * Blocks of the application that become replicas, followed by their checksums where the replicas have space for
     * them.
     *
     * @param plan of the round
     * @param target this PE's replicas
     */
    record Submitted(SubmitPlan plan, BlockMemory target) implements Payload {
        @Override
        public List<MemorySegment> toSend(PieceTable pieces, int group) {
            List<MemorySegment> runs = pieces.bySlot(group, plan.bytes());
            int trailer = plan.checksumPieces().groupOf(pieces.peer(group));
            if (trailer >= 0) {
                runs.addAll(plan.checksumPieces().bySlot(trailer,
                        (first, count) -> plan.checksums().asSlice(first * Integer.BYTES, count * Integer.BYTES)));
            }
            return runs;
        }

        @Override
        public List<MemorySegment> toReceive(PieceTable pieces, int group) {
            List<MemorySegment> runs = pieces.byPosition(group, target::at);
            runs.addAll(pieces.byPosition(group, target::checksums));
            return runs;
        }
    }

    /**
     * Replicas for new holders, checked before they are sent, and followed by their checksums.
     *
     * @param source this PE's replicas
     * @param target the same memory, with room for what is received
     * @param inputs destinations of sources of a computation, which have no checksums; their slots are one less
     */
    record Replicas(CheckedMemory source, ReplicaMemory target, PieceTable.PieceMemory inputs) implements Payload {
        @Override
        public List<MemorySegment> toSend(PieceTable pieces, int group) {
            checkSource(source, pieces, group);
            List<MemorySegment> runs = pieces.byPosition(group, source.memory()::at);
            addChecksums(runs, pieces, group, source.memory());
            return runs;
        }

        @Override
        public List<MemorySegment> toReceive(PieceTable pieces, int group) {
            List<MemorySegment> runs = new ArrayList<>();
            for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
                runs.add(into(pieces, piece));
            }
            runs.removeIf(run -> run.byteSize() == 0);
            addChecksums(runs, pieces, group, target);
            return runs;
        }

        /** The destination of a piece. */
        MemorySegment into(PieceTable pieces, int piece) {
            long slot = pieces.slot(piece);
            return slot == ReplenishPlan.COPIED
                    ? target.at(pieces.position(piece), pieces.count(piece))
                    : inputs.at(slot - 1, pieces.count(piece));
        }

        private void addChecksums(List<MemorySegment> runs, PieceTable pieces, int group, BlockMemory memory) {
            for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
                if (pieces.slot(piece) == ReplenishPlan.COPIED) {
                    runs.add(memory.checksums(pieces.position(piece), pieces.count(piece)));
                }
            }
            runs.removeIf(run -> run.byteSize() == 0);
        }
    }

    /** Checks the pieces for a group's PE, and returns whether they are sound. */
    static boolean checkSource(CheckedMemory source, PieceTable pieces, int group) {
        boolean sound = true;
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            sound &= source.check(pieces.position(piece), pieces.count(piece));
        }
        return sound;
    }
}
