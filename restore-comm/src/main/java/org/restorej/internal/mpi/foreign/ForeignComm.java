package org.restorej.internal.mpi.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.foreign.ForeignCall;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.comm.Reduction;

/**
 * A communicator called by foreign functions. A call costs MPI's price and about 10 ns; a message allocates one object.
 */
final class ForeignComm implements MpiComm {
    /** Of the memory for results: a handle, rank or flag; then a status. */
    private static final long STATUS_AT = 16;

    private final ForeignLibrary library;
    private final Functions functions;
    private final Constants constants;
    private final long handle;
    private final int rank;
    private final int size;
    private final MemorySegment result = Arena.ofAuto().allocate(STATUS_AT + Constants.MAX_STATUS_BYTES, 16);
    private final long resultAddress = result.address();
    private final RequestSlots slots = new RequestSlots(Long.BYTES);
    private boolean freed;

    /** Takes over a communicator. */
    ForeignComm(ForeignLibrary library, long handle) throws MpiException {
        this.library = library;
        this.functions = library.functions();
        this.constants = library.constants();
        this.handle = handle;
        check(ForeignCall.call(functions.setErrorHandler, handle, constants.errorsReturn()));
        check(ForeignCall.call(functions.rank, handle, resultAddress));
        rank = intResult();
        check(ForeignCall.call(functions.size, handle, resultAddress));
        size = intResult();
    }

    private void check(int code) throws MpiException {
        if (code != 0) {
            throw library.error(code);
        }
    }

    private int intResult() {
        return result.get(ValueLayout.JAVA_INT, 0);
    }

    /** Where a handle comes: of 32 bits or of 64. */
    private long emptyHandle() {
        result.set(ValueLayout.JAVA_LONG, 0, 0);
        return resultAddress;
    }

    private long handleResult() {
        return result.get(ValueLayout.JAVA_LONG, 0);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long handle() {
        return handle;
    }

    @Override
    public boolean isFreed() {
        return freed;
    }

    /** {@inheritDoc} Never: functions of C return numbers. */
    @Override
    public boolean isErrorOfMpi(Throwable thrown) {
        return false;
    }

    @Override
    public MpiOperation send(MemorySegment message, int destination, int tag) throws MpiException {
        return message(functions.send, message, destination, tag);
    }

    @Override
    public MpiOperation sendSynchronous(MemorySegment message, int destination, int tag) throws MpiException {
        return message(functions.sendSynchronous, message, destination, tag);
    }

    @Override
    public MpiOperation receive(MemorySegment buffer, int source, int tag) throws MpiException {
        return message(functions.receive, buffer, source, tag);
    }

    private MpiOperation message(MemorySegment function, MemorySegment message, int peer, int tag)
            throws MpiException {
        Operation pending = operation(message, MemorySegment.NULL);
        return started(pending, ForeignCall.call(function, message.address(), message.byteSize(),
                constants.byteType(), peer, tag, handle, pending.slot(), 0));
    }

    /** One that hasn't begun: afterwards it is too late to find that there is no memory for it. */
    private Operation operation(MemorySegment first, MemorySegment second) {
        return new Operation(this, slots.take(), first, second);
    }

    private MpiOperation started(Operation pending, int code) throws MpiException {
        if (code != 0) {
            slots.put(pending.slot());
            throw library.error(code);
        }
        return pending;
    }

    /** Whether the request in a slot, which is free then, has ended. */
    private boolean test(long slot) throws MpiException {
        int code = ForeignCall.call(functions.test, slot, resultAddress, constants.statusIgnore());
        if (code == 0 && intResult() == 0) {
            inVain();
            return false;
        }
        slots.put(slot);
        check(code);
        return true;
    }

    /** MPICH polls without yielding; the rank that is waited for may need this core. */
    @SuppressWarnings("ThreadPriorityCheck") // Another process is to get the core, not another thread.
    private void inVain() {
        if (library.needsYield()) {
            Thread.yield();
        }
    }

    private void cancel(long slot) throws MpiException {
        check(ForeignCall.call(functions.cancel, slot));
    }

    @Override
    public @Nullable Message probe(int source, int tag) throws MpiException {
        long status = resultAddress + STATUS_AT;
        check(ForeignCall.call(functions.probe, constants.source(source), constants.tag(tag), handle, resultAddress,
                status));
        if (intResult() == 0) {
            inVain();
            return null;
        }
        check(ForeignCall.call(functions.count, status, constants.byteType(), resultAddress));
        return new Message(result.get(ValueLayout.JAVA_INT, STATUS_AT + constants.sourceAt()),
                result.get(ValueLayout.JAVA_INT, STATUS_AT + constants.tagAt()), intResult());
    }

    @Override
    public MpiOperation barrier() throws MpiException {
        Operation pending = operation(MemorySegment.NULL, MemorySegment.NULL);
        return started(pending, ForeignCall.call(functions.barrier, handle, pending.slot()));
    }

    /** {@inheritDoc} By a call that doesn't block, where one that does wouldn't yield, see {@link #duplicateByAndBy}. */
    @Override
    public void allGather(MemorySegment sent, MemorySegment received) throws MpiException {
        if (!library.isOpenMpi()) {
            Operation pending = operation(sent, received);
            await(started(pending, gather(functions.startAllGather, sent, received, pending.slot())));
            return;
        }
        try {
            check(gather(functions.allGather, sent, received, 0));
        } finally {
            Reference.reachabilityFence(sent);
            Reference.reachabilityFence(received);
        }
    }

    private static void await(MpiOperation pending) throws MpiException {
        while (!pending.test()) {
            Thread.onSpinWait();
        }
    }

    private int gather(MemorySegment function, MemorySegment sent, MemorySegment received, long slot) {
        return ForeignCall.call(function, sent.address(), sent.byteSize(), constants.byteType(), received.address(),
                sent.byteSize(), constants.byteType(), handle, slot);
    }

    /** {@inheritDoc} As {@link #allGather}. */
    @Override
    public void allReduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction operation)
            throws MpiException {
        if (!library.isOpenMpi()) {
            await(startAllReduce(sent, received, type, operation));
            return;
        }
        try {
            check(reduce(functions.allReduce, sent, received, type, constants.operation(operation), 0));
        } finally {
            Reference.reachabilityFence(sent);
            Reference.reachabilityFence(received);
        }
    }

    @Override
    public MpiOperation startAllReduce(MemorySegment sent, MemorySegment received, ElementType type,
            Reduction operation) throws MpiException {
        return startReduction(sent, received, type, constants.operation(operation));
    }

    @Override
    public MpiOperation startAnd(MemorySegment sent, MemorySegment received) throws MpiException {
        return startReduction(sent, received, ElementType.LONG, constants.and());
    }

    private MpiOperation startReduction(MemorySegment sent, MemorySegment received, ElementType type, long operation)
            throws MpiException {
        Operation pending = operation(sent, received);
        return started(pending, reduce(functions.startAllReduce, sent, received, type, operation, pending.slot()));
    }

    private int reduce(MemorySegment function, MemorySegment sent, MemorySegment received, ElementType type,
            long operation, long slot) {
        return ForeignCall.call(function, sent.address(), received.address(), sent.byteSize() / type.bytes(),
                constants.datatype(type), operation, handle, slot, 0);
    }

    @Override
    public MpiComm duplicate() throws MpiException {
        return library.isOpenMpi() ? duplicateAtOnce() : duplicateByAndBy();
    }

    private MpiComm duplicateAtOnce() throws MpiException {
        check(ForeignCall.call(functions.duplicate, handle, emptyHandle()));
        return new ForeignComm(library, handleResult());
    }

    /**
     * MPI_Comm_idup: where MPI doesn't yield, a call that blocks keeps the core from those for whom it waits. All ranks
     * call the same function, whether their nodes share cores or not.
     */
    private MpiComm duplicateByAndBy() throws MpiException {
        MemorySegment fresh = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        Operation pending = operation(fresh, MemorySegment.NULL);
        await(started(pending,
                ForeignCall.call(functions.startDuplicate, handle, fresh.address(), pending.slot())));
        return new ForeignComm(library, fresh.get(ValueLayout.JAVA_LONG, 0));
    }

    @Override
    public @Nullable MpiComm split(int color) throws MpiException {
        check(ForeignCall.call(functions.split, handle, color == NO_COLOR ? constants.undefined() : color, rank,
                emptyHandle(), 0));
        return color == NO_COLOR ? null : new ForeignComm(library, handleResult());
    }

    @Override
    public MpiComm subset(int[] ranks, int tag) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            check(ForeignCall.call(functions.group, handle, emptyHandle()));
            MemorySegment before = arena.allocateFrom(ValueLayout.JAVA_LONG, handleResult());
            MemorySegment members = arena.allocateFrom(ValueLayout.JAVA_INT, ranks);
            check(ForeignCall.call(functions.include, before.get(ValueLayout.JAVA_LONG, 0), ranks.length,
                    members.address(), emptyHandle(), 0));
            MemorySegment after = arena.allocateFrom(ValueLayout.JAVA_LONG, handleResult());
            check(ForeignCall.call(functions.createGroup, handle, after.get(ValueLayout.JAVA_LONG, 0), tag,
                    emptyHandle(), 0));
            long fresh = handleResult();
            check(ForeignCall.call(functions.freeGroup, before.address()));
            check(ForeignCall.call(functions.freeGroup, after.address()));
            return new ForeignComm(library, fresh);
        }
    }

    @Override
    public boolean isFinalized() throws MpiException {
        return library.isFinalized();
    }

    @Override
    public void free() throws MpiException {
        result.set(ValueLayout.JAVA_LONG, 0, handle);
        check(ForeignCall.call(functions.free, resultAddress));
        freed = true;
    }

    /**
     * A request of MPI.
     *
     * @param slot address of its handle
     * @param first memory that MPI uses, kept from being freed; MemorySegment.NULL for none
     * @param second as the first
     */
    private record Operation(ForeignComm communicator, long slot, MemorySegment first,
            MemorySegment second) implements MpiOperation {
        @Override
        public boolean test() throws MpiException {
            return communicator.test(slot);
        }

        @Override
        public void cancel() throws MpiException {
            communicator.cancel(slot);
        }
    }
}
