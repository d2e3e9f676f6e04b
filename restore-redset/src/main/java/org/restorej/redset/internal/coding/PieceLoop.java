package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Request;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.internal.erasure.LinearMap;

/**
 * Computes the bytes of all targets of a set's chains, in the processes that own its members. A loop over the waves of
 * a {@link PieceProgram}: read, send, receive, multiply, write.
 *
 * <p>
 * One thread does the input, the output and the messages: the kernel reads ahead and writes behind, and with more
 * processes than cores another thread costs more than it gains. After a failure nothing more is read, computed or
 * written. All messages are still sent, because the other processes wait for them. Not thread-safe; used once.
 */
public final class PieceLoop {
    /** First tag of messages. Each chain has its own, so that messages of different chains may arrive in any order. */
    private static final int FIRST_TAG = 16;
    private static final long ALIGNMENT = 64;

    private final PieceMessages messages;
    private final PieceProgram program;
    private final @Nullable MemberBytes[] members;
    private final MemorySegment[] segments;
    private final ByteBuffer[] buffers;
    /** By slot: the pending receive. */
    private final @Nullable Request[] receives;
    /** By instruction, first of even waves, then of odd ones: the pending send. */
    private final @Nullable Request[] sends;
    /** By instruction: the computation, and its source and result slots in even and odd waves. */
    private final @Nullable LinearMap[] maps;
    private final MemorySegment[][] sources;
    private final MemorySegment[][] results;
    private final BitSet disagreeing = new BitSet();
    private final LongConsumer progress;
    private @Nullable IOException failure;
    private @Nullable MemberBytes unreadable;

    /**
     * Prepares; opens no file. The memory of the messages is in use until {@link #run} returns.
     *
     * @param kernel supplies the arithmetic; not called if nothing is computed
     * @param chains of a set, the same in all of its processes
     * @param owners by rank in the set: the process that acts for the member
     * @param process this process
     * @param members by rank in the set: the files of the members that this process owns
     * @param maxPieceBytes maximum length of a piece, the same in all processes
     * @param progress gets the number of bytes that were written or compared, piece by piece
     */
    public PieceLoop(PieceMessages messages, Supplier<ErasureKernel> kernel, List<ReductionChain> chains,
            int[] owners, int process, @Nullable MemberBytes[] members, long maxPieceBytes, LongConsumer progress) {
        this.messages = messages;
        this.progress = progress;
        this.members = members;
        program = PieceCompiler.compile(chains, owners, process, members, maxPieceBytes);
        long stride = Math.ceilDiv(program.pieceBytes(), ALIGNMENT) * ALIGNMENT;
        MemorySegment memory = messages.memory(program.slots() * stride);
        segments = new MemorySegment[program.slots()];
        buffers = new ByteBuffer[segments.length];
        for (int slot = 0; slot < segments.length; slot++) {
            segments[slot] = memory.asSlice(slot * stride, program.pieceBytes());
            buffers[slot] = segments[slot].asByteBuffer();
        }
        receives = new Request[segments.length];
        sends = new Request[2 * program.instructions()];
        maps = new LinearMap[program.instructions()];
        sources = new MemorySegment[2 * maps.length][];
        results = new MemorySegment[2 * maps.length][];
        for (int at = 0; at < maps.length; at++) {
            GaloisMatrix matrix = program.chain(at).matrix();
            if (program.operation(at) == PieceProgram.COMPUTE && matrix != null) {
                maps[at] = kernel.get().prepare(matrix);
                for (int wave = 0; wave < 2; wave++) {
                    sources[2 * at + wave] = consecutive(program.slot(at, wave), matrix.columns());
                    results[2 * at + wave] = consecutive(program.slot(at, wave) + matrix.columns(), matrix.rows());
                }
            }
        }
    }

    private MemorySegment[] consecutive(int first, int count) {
        MemorySegment[] some = new MemorySegment[count];
        System.arraycopy(segments, first, some, 0, count);
        return some;
    }

    /**
     * Computes. Collective over the processes of the set.
     *
     * @throws IOException if a file can't be read or written; the other processes got all their messages, with invalid
     *         content
     */
    public void run() throws IOException {
        for (long wave = 0; wave < program.waves() + 2; wave++) {
            awaitSends(wave);
            run(0, program.reducing(), wave);
            run(program.reducing(), program.taking(), wave - 1);
            run(program.taking(), program.instructions(), wave - 2);
        }
        awaitSends(0);
        awaitSends(1);
        for (int at = 0; at < program.instructions(); at++) {
            if (failure == null && program.hasCursor(at)) {
                program.cursor(at).finish();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Rank in the set of the member of which a file can't be read, or -1. */
    public int unreadableMember() {
        for (int member = 0; member < members.length; member++) {
            if (unreadable != null && members[member] == unreadable) {
                return member;
            }
        }
        return -1;
    }

    /** Numbers of the chains whose results differ from the existing bytes, where they were compared. */
    public BitSet disagreeing() {
        return disagreeing;
    }

    private void awaitSends(long wave) {
        for (int send = (int) (wave % 2) * program.instructions(), end = send
                + program.instructions(); send < end; send++) {
            Request pending = sends[send];
            if (pending != null) {
                messages.await(pending);
                sends[send] = null;
            }
        }
    }

    private void awaitReceive(int slot) {
        Request pending = receives[slot];
        if (pending != null) {
            messages.await(pending);
            receives[slot] = null;
        }
    }

    private void run(int first, int end, long wave) {
        if (wave < 0 || wave >= program.waves()) {
            return;
        }
        for (int at = first; at < end; at++) {
            ReductionChain chain = program.chain(at);
            long left = chain.bytes() - wave * program.pieceBytes();
            if (left > 0) {
                run(at, wave, (int) Math.min(left, program.pieceBytes()), chain);
            }
        }
    }

    private void run(int at, long wave, int bytes, ReductionChain chain) {
        int slot = program.slot(at, wave);
        switch (program.operation(at)) {
            case PieceProgram.RECEIVE -> receives[slot] = messages.receive(piece(slot, bytes), program.peer(at),
                    FIRST_TAG + chain.number());
            case PieceProgram.SEND -> sends[(int) (wave % 2) * program.instructions() + at] = messages
                    .send(piece(slot, bytes), program.peer(at), FIRST_TAG + chain.number());
            case PieceProgram.COMPUTE -> compute(at, wave, slot, bytes);
            case PieceProgram.READ -> read(program.cursor(at), slot, bytes);
            case PieceProgram.WRITE -> {
                awaitReceive(slot);
                write(program.cursor(at), slot, bytes);
            }
            default -> {
                awaitReceive(slot);
                compare(program.cursor(at), slot, bytes, chain.number());
            }
        }
    }

    private MemorySegment piece(int slot, int bytes) {
        return bytes == program.pieceBytes() ? segments[slot] : segments[slot].asSlice(0, bytes);
    }

    private void read(ExtentCursor cursor, int slot, int bytes) {
        if (failure == null) {
            try {
                cursor.read(buffers[slot].clear().limit(bytes));
            } catch (IOException notRead) {
                failure = notRead;
                unreadable = cursor.member();
            }
        }
    }

    private void write(ExtentCursor cursor, int slot, int bytes) {
        if (failure == null) {
            try {
                cursor.write(buffers[slot].clear().limit(bytes));
                progress.accept(bytes);
            } catch (IOException notWritten) {
                failure = notWritten;
            }
        }
    }

    private void compare(ExtentCursor cursor, int slot, int bytes, int chain) {
        int own = segments.length - 1;
        read(cursor, own, bytes);
        if (failure == null) {
            progress.accept(bytes);
            if (piece(own, bytes).mismatch(piece(slot, bytes)) >= 0) {
                disagreeing.set(chain);
            }
        }
    }

    private void compute(int at, long wave, int firstSlot, int bytes) {
        MemorySegment[] from = sources[2 * at + (int) (wave % program.depth(at))];
        MemorySegment[] to = results[2 * at + (int) (wave % program.depth(at))];
        for (int source = 0; source < from.length; source++) {
            awaitReceive(firstSlot + source);
        }
        LinearMap map = maps[at];
        if (failure == null && map != null) {
            map.apply(shortened(from, bytes), shortened(to, bytes));
        }
    }

    /** Shortens the last pieces of a chain. */
    private MemorySegment[] shortened(MemorySegment[] pieces, int bytes) {
        if (bytes == program.pieceBytes()) {
            return pieces;
        }
        MemorySegment[] some = new MemorySegment[pieces.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = pieces[i].asSlice(0, bytes);
        }
        return some;
    }
}
