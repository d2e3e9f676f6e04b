package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.redset.internal.coding.MemberReader;
import org.restorej.redset.internal.coding.MemberWriter;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.internal.erasure.LinearMap;

/**
 * Carries out the {@link PiecePlan} of one member: a pipelined reduce-scatter along a ring. While one piece is
 * computed, the next ones are being received and earlier ones sent. Files are read and written while messages are
 * awaited. One thread.
 */
final class PieceExchange {
    private static final int TAG = 3;
    private static final long ALIGNMENT = 64;

    private final RedsetChannel channel;
    private final SetMembers members;
    private final PiecePlan plan;
    private final ErasureKernel kernel;
    private final MemberReader reader;
    private final MemberWriter writer;
    /** By task of this member. */
    private final IdentityHashMap<ChainTask, LinearMap> maps = new IdentityHashMap<>();
    private final FileQueue files = new FileQueue();
    private final BooleanSupplier fileWork = files::runNext;

    /** Memory of one task, and what still uses it. */
    private static final class Slot {
        private final MemorySegment memory;
        private final List<Request> sends = new ArrayList<>();
        /** Number of what was last submitted to the file queue for this slot. */
        private long files;

        Slot(MemorySegment memory) {
            this.memory = memory;
        }
    }

    /** A task that has begun: its pieces are being received, its own bytes are being read. */
    private record Begun(PiecePlan.Piece piece, Slot slot, @Nullable Request receive) {
        MemorySegment pieces(int first, int count) {
            return slot.memory.asSlice(first * piece.bytes(), count * piece.bytes());
        }

        /** The own bytes: behind the partial results, or in their place where nothing is added to them. */
        MemorySegment ownBytes() {
            return pieces(isForwarded(piece.task()) ? 0 : piece.task().chain().carriedPieces(), 1);
        }
    }

    /**
     * Whether the own bytes are passed on as they are: copies, and the first source of an exclusive or.
     */
    private static boolean isForwarded(ChainTask task) {
        GaloisMatrix matrix = task.chain().matrix();
        return matrix == null || (task.hop() == 0 && matrix.rows() == 1 && matrix.at(0, 0) == 1);
    }

    PieceExchange(RedsetChannel channel, SetMembers members, PiecePlan plan, ErasureKernel kernel, MemberReader reader,
            MemberWriter writer) {
        this.channel = channel;
        this.members = members;
        this.plan = plan;
        this.kernel = kernel;
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Exchanges all pieces. Called by all members in one step.
     *
     * @throws IOException when a file could not be read or written; the others have got their messages, but useless
     *        ones
     */
    void run() throws IOException {
        long slotBytes = Math.ceilDiv(plan.piecesPerSlot() * plan.pieceBytes(), ALIGNMENT) * ALIGNMENT;
        MemorySegment memory = channel.memory(Math.max(1, plan.slots() * slotBytes));
        List<Slot> slots = new ArrayList<>();
        for (int slot = 0; slot < plan.slots(); slot++) {
            slots.add(new Slot(memory.asSlice(slot * slotBytes, slotBytes)));
        }
        runTasks(slots);
        slots.forEach(this::awaitFree);
        files.throwFailure();
    }

    private void runTasks(List<Slot> slots) {
        Iterator<PiecePlan.Piece> upcoming = plan.pieces();
        ArrayDeque<Begun> window = new ArrayDeque<>();
        long begun = 0;
        while (upcoming.hasNext() || !window.isEmpty()) {
            if (window.isEmpty()) {
                awaitFree(slots.get((int) (begun % slots.size())));
            }
            while (upcoming.hasNext() && window.size() < plan.ahead()
                    && isFree(slots.get((int) (begun % slots.size())))) {
                window.add(begin(upcoming.next(), slots.get((int) (begun % slots.size()))));
                begun++;
            }
            finish(window.remove());
        }
    }

    private void awaitFree(Slot slot) {
        slot.sends.forEach(send -> channel.await(send, fileWork));
        slot.sends.clear();
        files.await(slot.files);
    }

    private boolean isFree(Slot slot) {
        for (int send = slot.sends.size() - 1; send >= 0; send--) {
            if (channel.test(slot.sends.get(send))) {
                slot.sends.remove(send);
            }
        }
        if (slot.sends.isEmpty()) {
            // Submitted some tasks ago, so nearly always done.
            files.await(slot.files);
        }
        return slot.sends.isEmpty();
    }

    private Begun begin(PiecePlan.Piece piece, Slot slot) {
        ChainTask task = piece.task();
        Request receive = null;
        if (task.receivesFrom() >= 0) {
            MemorySegment received = slot.memory.asSlice(0, task.receivedPieces() * piece.bytes());
            receive = channel.receive(received, members.currentRank(task.receivesFrom()), TAG);
        }
        Begun begun = new Begun(piece, slot, receive);
        if (task.isSource()) {
            slot.files = files.submit(() -> reader.read(task.member().extent(), piece.offset(), begun.ownBytes()));
        }
        return begun;
    }

    private void finish(Begun begun) {
        ChainTask task = begun.piece().task();
        channel.await(begun.receive(), fileWork);
        if (task.isSource()) {
            files.await(begun.slot().files);
            if (!isForwarded(task) && !files.hasFailed()) {
                addOwnBytes(begun, task);
            }
            for (ChainTask.Outgoing outgoing : task.outgoing()) {
                begun.slot().sends.add(channel.send(begun.pieces(outgoing.firstPiece(), outgoing.pieces()),
                        members.currentRank(outgoing.receiver()), TAG));
            }
        } else {
            begun.slot().files = files.submit(
                    () -> writer.write(task.member().extent(), begun.piece().offset(), begun.pieces(0, 1)));
        }
    }

    private void addOwnBytes(Begun begun, ChainTask task) {
        MemorySegment[] results = new MemorySegment[task.chain().carriedPieces()];
        for (int result = 0; result < results.length; result++) {
            results[result] = begun.pieces(result, 1);
        }
        LinearMap map = maps.computeIfAbsent(task, this::prepare);
        if (task.hop() == 0) {
            map.apply(new MemorySegment[]{begun.ownBytes()}, results);
        } else {
            map.accumulate(task.index(), begun.ownBytes(), results);
        }
    }

    private LinearMap prepare(ChainTask task) {
        GaloisMatrix matrix = task.chain().matrix();
        if (matrix == null) {
            throw new IllegalStateException("copies are not computed");
        }
        // The first source has nothing to add to, so what it computes needs no zeros below it.
        return kernel.prepare(task.hop() > 0
                ? matrix
                : matrix.select(IntStream.range(0, matrix.rows()).toArray(), new int[]{task.index()}));
    }
}
