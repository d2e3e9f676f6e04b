package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BiFunction;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.Background;

/**
 * The collective calls of a communicator on MPI that combine values of all PEs. MPI reads and writes memory that is not
 * freed explicitly, because MPI may still use it after an exception. Not thread-safe.
 */
final class MpiCollectives {
    private static final String REDUCTION = "allReduce";
    private static final String GATHERING = "allGather";

    private final MpiCommunicator communicator;
    private final MpiComm mpi;
    /** For reductions of one value. */
    private final MemorySegment one = allocate(Long.BYTES);
    private final MemorySegment reducedOne = allocate(Long.BYTES);

    MpiCollectives(MpiCommunicator communicator, MpiComm mpi) {
        this.communicator = communicator;
        this.mpi = mpi;
    }

    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    private static MemorySegment segmentOf(Object array) {
        return array instanceof long[] longs ? MemorySegment.ofArray(longs) : MemorySegment.ofArray((double[]) array);
    }

    private static MpiComm.ElementType typeOf(Object array) {
        return array instanceof long[] ? MpiComm.ElementType.LONG : MpiComm.ElementType.DOUBLE;
    }

    /** Gathers values whose sizes have been checked. */
    void allGather(MemorySegment mine, MemorySegment all) throws MpiException {
        communicator.requireUsable(GATHERING);
        Background.progress();
        if (mine.byteSize() == 0) {
            communicator.barrier();
            return;
        }
        MemorySegment sent = allocate(mine.byteSize()).copyFrom(mine);
        MemorySegment received = allocate(all.byteSize());
        try (WaitLimit _ = communicator.waits(GATHERING)) {
            mpi.allGather(sent, received);
        }
        communicator.failures().requireNotInterrupted(GATHERING);
        all.copyFrom(received);
    }

    /**
     * Starts to reduce an array in place.
     *
     * @param array long[] or double[]
     * @param withResult creates the request that passes the result once, from MPI's request and what passes it
     */
    Request start(Object array, Reduction reduction, BiFunction<Request, Runnable, Request> withResult) {
        communicator.requireUsable(REDUCTION);
        MemorySegment values = segmentOf(array);
        if (values.byteSize() == 0) {
            return communicator.iBarrier();
        }
        MemorySegment sent = allocate(values.byteSize()).copyFrom(values);
        MemorySegment received = allocate(values.byteSize());
        MpiRequest request = communicator.pending().request(MpiRequest.Kind.REDUCTION, -1);
        try {
            return withResult.apply(mpi.startAllReduce(request, sent, received, typeOf(array), reduction),
                    () -> values.copyFrom(received));
        } catch (MpiException e) {
            throw communicator.failure(REDUCTION, e);
        } finally {
            request.forgetUnlessBegun();
        }
    }

    /** Reduces a long[] or double[] in place. */
    void reduce(Object array, Reduction reduction) {
        communicator.requireUsable(REDUCTION);
        Background.progress();
        MemorySegment values = segmentOf(array);
        if (values.byteSize() == 0) {
            communicator.barrier();
            return;
        }
        MemorySegment received = allocate(values.byteSize());
        reduce(allocate(values.byteSize()).copyFrom(values), received, typeOf(array), reduction);
        values.copyFrom(received);
    }

    long reduce(long value, Reduction reduction) {
        one.set(ValueLayout.JAVA_LONG, 0, value);
        reduceOne(MpiComm.ElementType.LONG, reduction);
        return reducedOne.get(ValueLayout.JAVA_LONG, 0);
    }

    double sum(double value) {
        one.set(ValueLayout.JAVA_DOUBLE, 0, value);
        reduceOne(MpiComm.ElementType.DOUBLE, Reduction.SUM);
        return reducedOne.get(ValueLayout.JAVA_DOUBLE, 0);
    }

    private void reduceOne(MpiComm.ElementType type, Reduction reduction) {
        communicator.requireUsable(REDUCTION);
        Background.progress();
        reduce(one, reducedOne, type, reduction);
    }

    /** Allocates nothing, because programs reduce one value in each iteration. */
    private void reduce(MemorySegment sent, MemorySegment received, MpiComm.ElementType type, Reduction reduction) {
        try (WaitLimit _ = communicator.waits(REDUCTION)) {
            mpi.allReduce(sent, received, type, reduction);
        } catch (MpiException e) {
            throw communicator.failure(REDUCTION, e);
        }
        communicator.failures().requireNotInterrupted(REDUCTION);
    }
}
