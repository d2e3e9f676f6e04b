package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.c.CompiledNbx;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.MpiFailure;
import org.restorej.internal.foreign.ForeignCall;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;

/**
 * A round of a sparse all-to-all in C ({@code nbx.c}): the same messages, in this process, on a communicator of its
 * own. One call from Java is a whole round.
 */
final class NbxFromC implements Exchange {
    private static final int FIRST_TAG = 11;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final Arena arena = Arena.ofShared();
    private final SparseMessages sent;
    private final MpiComm communicator;
    private final MemorySegment round;
    private final MemorySegment rounds;
    private final MemorySegment received;
    private final long stride;
    private final MemorySegment filled;
    private int count;

    /**
     * Rounds. Collective.
     *
     * @param library the compiled code
     */
    NbxFromC(RankWorld ranks, SparseMessages sent, Path library) {
        this.sent = sent;
        try {
            communicator = ranks.plain().communicator().duplicate();
        } catch (MpiException failure) {
            throw new MpiFailure("MPI_Comm_dup", failure);
        }
        round = SymbolLookup.libraryLookup(library, arena).findOrThrow("nbx_round");
        // One PE may have sent all there are.
        stride = Math.max(1, (long) sent.expectedCount() * sent.messageBytes());
        received = arena.allocate(stride * sent.peCount(), 64);
        filled = arena.allocate(LONG, sent.peCount());
        int[] receivers = receivers(sent);
        long[] fields = {communicator.handle(), receivers.length, sent.messageBytes(),
                arena.allocateFrom(ValueLayout.JAVA_INT, receivers).address(), sent.segment().address(),
                received.address(), stride, filled.address(), arena.allocate(sent.messageBytes(), 64).address(),
                arena.allocate(LONG, Math.max(1, receivers.length)).address()};
        rounds = arena.allocateFrom(LONG, fields);
    }

    /** The library that this job was given, if any. */
    static @Nullable Path library() {
        String path = System.getProperty(CompiledNbx.PROPERTY);
        return path == null || !Files.exists(Path.of(path)) ? null : Path.of(path);
    }

    private static int[] receivers(SparseMessages sent) {
        int[] receivers = new int[Math.toIntExact(sent.bytes() / sent.messageBytes())];
        int next = 0;
        for (int peer = 0; peer < sent.peCount(); peer++) {
            for (int message = 0; message < sent.countFor(peer); message++) {
                receivers[next++] = peer;
            }
        }
        return receivers;
    }

    @Override
    public long bytes() {
        return sent.bytes();
    }

    @Override
    public void clear() {
        received.fill((byte) 0xEE);
    }

    @Override
    public void run() {
        filled.fill((byte) 0);
        int code = ForeignCall.call(round, rounds.address(), FIRST_TAG + (count++ & 1));
        if (code != 0) {
            throw new IllegalStateException("nbx.c: MPI error " + code);
        }
    }

    @Override
    public void check() {
        for (int peer = 0; peer < sent.peCount(); peer++) {
            sent.requireFrom(peer, received.asSlice(peer * stride, filled.getAtIndex(LONG, peer)));
        }
    }

    @Override
    public void close() {
        try {
            communicator.free();
        } catch (MpiException failure) {
            throw new MpiFailure("MPI_Comm_free", failure);
        }
        sent.close();
        arena.close();
    }
}
