package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Reduction;
import org.restorej.internal.foreign.ForeignCall;

/**
 * A communicator of an MPI library, called by foreign functions; {@code internal.mpi.bindings} sends and receives
 * through Open MPI's Java bindings. It returns its errors, and so do communicators created from it. Memory is native,
 * of at most 2^31 - 1 bytes. Each method is the MPI function that its documentation names, with its rules. Not
 * thread-safe. A call costs MPI's price and about 10 ns, and allocates nothing.
 */
public class MpiComm {
    /** Any sender, in {@link #probe}. */
    public static final int ANY_SOURCE = -1;

    /** Any tag, in {@link #probe}. */
    public static final int ANY_TAG = -1;

    /** No group, in {@link #split}. */
    public static final int NO_COLOR = -1;

    /** Offset of a status in the memory for results, which starts with a handle, rank or flag. */
    private static final long STATUS_AT = 16;

    /**
     * A message that can be received.
     *
     * @param source rank of the sender
     * @param bytes its length
     */
    public record Message(int source, int tag, int bytes) {}

    /** Element types of reductions, in the byte order of the machine; 8 bytes each. */
    public enum ElementType {
        /** C's long has 8 bytes on all platforms of the library. */
        LONG, DOUBLE
    }

    private final MpiLibrary library;
    private final Functions functions;
    private final Constants constants;
    private final long handle;
    private final int rank;
    private final int size;
    private final MemorySegment result = Arena.ofAuto().allocate(STATUS_AT + Constants.MAX_STATUS_BYTES, 16);
    private final long resultAddress = result.address();
    private final RequestSlots slots = new RequestSlots();
    /** Operation of blocking calls, of which there is one at a time. */
    private final MpiOperation blocking = new MpiOperation();
    private boolean freed;

    /** Wraps a communicator. */
    protected MpiComm(MpiLibrary library, long handle) throws MpiException {
        this.library = library;
        this.functions = library.functions();
        this.constants = library.constants();
        this.handle = handle;
        library.check(ForeignCall.call(functions.setErrorHandler, handle, constants.errorsReturn()));
        library.check(ForeignCall.call(functions.rank, handle, resultAddress));
        rank = intResult();
        library.check(ForeignCall.call(functions.size, handle, resultAddress));
        size = intResult();
    }

    private int intResult() {
        return result.get(ValueLayout.JAVA_INT, 0);
    }

    /** Address for a handle as result, of 32 or 64 bits. */
    private long emptyHandle() {
        result.set(ValueLayout.JAVA_LONG, 0, 0);
        return resultAddress;
    }

    private long handleResult() {
        return result.get(ValueLayout.JAVA_LONG, 0);
    }

    /** Rank of this process. */
    public final int rank() {
        return rank;
    }

    /** Number of processes. */
    public final int size() {
        return size;
    }

    /** The library's handle. */
    public final long handle() {
        return handle;
    }

    /** Whether it is freed, by the library or, as far as known here, by the program that was given it. */
    public boolean isFreed() {
        return freed;
    }

    /** Whether the program's own MPI calls, made in the same way, report errors by this exception. */
    public boolean isErrorOfMpi(Throwable thrown) {
        return false;
    }

    /** MPI_Isend. */
    public <O extends MpiOperation> O send(O operation, MemorySegment message, int destination, int tag)
            throws MpiException {
        return message(operation, functions.send, message, destination, tag);
    }

    /** MPI_Issend. */
    public <O extends MpiOperation> O sendSynchronous(O operation, MemorySegment message, int destination, int tag)
            throws MpiException {
        return message(operation, functions.sendSynchronous, message, destination, tag);
    }

    /** MPI_Irecv. */
    public <O extends MpiOperation> O receive(O operation, MemorySegment buffer, int source, int tag)
            throws MpiException {
        return message(operation, functions.receive, buffer, source, tag);
    }

    private <O extends MpiOperation> O message(O operation, MemorySegment function, MemorySegment message, int peer,
            int tag) throws MpiException {
        long slot = prepare(operation, message, null);
        return begun(operation, ForeignCall.call(function, message.address(), message.byteSize(), constants.byteType(),
                peer, tag, handle, slot, 0));
    }

    /** Reserves the slot of an operation that is about to start. */
    private long prepare(MpiOperation operation, @Nullable MemorySegment first, @Nullable MemorySegment second) {
        operation.slot = slots.take();
        operation.hold(first, second);
        return operation.slot;
    }

    private <O extends MpiOperation> O begun(O operation, int code) throws MpiException {
        if (code != 0) {
            end(operation);
            throw library.error(code);
        }
        operation.begun(this);
        return operation;
    }

    /** MPI_Recv of a message that was {@linkplain #probe found}: blocks. */
    public final void receiveNow(MemorySegment buffer, Message found) throws MpiException {
        await(receive(blocking, buffer, found.source(), found.tag()));
    }

    private static void await(MpiOperation pending) throws MpiException {
        while (!pending.poll()) {
            Thread.onSpinWait();
        }
    }

    /** MPI_Test of an operation that was started here. */
    protected boolean poll(MpiOperation operation) throws MpiException {
        int code = ForeignCall.call(functions.test, operation.slot, resultAddress, constants.statusIgnore());
        if (code == 0 && intResult() == 0) {
            inVain();
            return false;
        }
        operation.agreed = RequestSlots.flags(operation.slot);
        end(operation);
        library.check(code);
        return true;
    }

    /** Releases an operation whose slot and memory MPI no longer uses. */
    private void end(MpiOperation operation) {
        slots.put(operation.slot);
        operation.hold(null, null);
    }

    /** Yields after an unsuccessful poll if MPI doesn't, because the awaited rank may need this core. */
    @SuppressWarnings("ThreadPriorityCheck") // Yields to another process, not to another thread.
    private void inVain() {
        if (library.needsYield()) {
            Thread.yield();
        }
    }

    /** MPI_Cancel of an operation that was started here. */
    protected void withdraw(MpiOperation operation) throws MpiException {
        library.check(ForeignCall.call(functions.cancel, operation.slot));
    }

    /** MPI_Iprobe; null if there is no message. */
    public final @Nullable Message probe(int source, int tag) throws MpiException {
        long status = resultAddress + STATUS_AT;
        library.check(ForeignCall.call(functions.probe, constants.source(source), constants.tag(tag), handle,
                resultAddress, status));
        if (intResult() == 0) {
            inVain();
            return null;
        }
        library.check(ForeignCall.call(functions.count, status, constants.byteType(), resultAddress));
        return new Message(result.get(ValueLayout.JAVA_INT, STATUS_AT + constants.sourceAt()),
                result.get(ValueLayout.JAVA_INT, STATUS_AT + constants.tagAt()), intResult());
    }

    /** MPI_Ibarrier. */
    public final <O extends MpiOperation> O barrier(O operation) throws MpiException {
        long slot = prepare(operation, null, null);
        return begun(operation, ForeignCall.call(functions.barrier, handle, slot));
    }

    /**
     * MPI_Allgather of bytes: blocks. Uses the non-blocking call if the blocking one wouldn't yield; see
     * {@link #duplicate}.
     */
    public final void allGather(MemorySegment sent, MemorySegment received) throws MpiException {
        if (!library.isOpenMpi()) {
            long slot = prepare(blocking, sent, received);
            await(begun(blocking, gather(functions.startAllGather, sent, received, slot)));
            return;
        }
        try {
            library.check(gather(functions.allGather, sent, received, 0));
        } finally {
            Reference.reachabilityFence(sent);
            Reference.reachabilityFence(received);
        }
    }

    private int gather(MemorySegment function, MemorySegment sent, MemorySegment received, long slot) {
        return ForeignCall.call(function, sent.address(), sent.byteSize(), constants.byteType(), received.address(),
                sent.byteSize(), constants.byteType(), handle, slot);
    }

    /** MPI_Allreduce: blocks, as {@link #allGather}. */
    public final void allReduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction reduction)
            throws MpiException {
        if (!library.isOpenMpi()) {
            await(startAllReduce(blocking, sent, received, type, reduction));
            return;
        }
        try {
            library.check(reduce(functions.allReduce, sent.address(), received.address(), sent.byteSize(), type,
                    constants.operation(reduction), 0));
        } finally {
            Reference.reachabilityFence(sent);
            Reference.reachabilityFence(received);
        }
    }

    /** MPI_Iallreduce. */
    public final <O extends MpiOperation> O startAllReduce(O operation, MemorySegment sent, MemorySegment received,
            ElementType type, Reduction reduction) throws MpiException {
        long slot = prepare(operation, sent, received);
        return begun(operation, reduce(functions.startAllReduce, sent.address(), received.address(), sent.byteSize(),
                type, constants.operation(reduction), slot));
    }

    private int reduce(MemorySegment function, long sent, long received, long bytes, ElementType type, long reduction,
            long slot) {
        return ForeignCall.call(function, sent, received, bytes / Long.BYTES, constants.datatype(type), reduction,
                handle, slot, 0);
    }

    /** MPI_Iallreduce with MPI_BAND of flags; {@link MpiOperation#agreedFlags} has the result. */
    public final <O extends MpiOperation> O startAnd(O operation, int flags) throws MpiException {
        long slot = prepare(operation, null, null);
        return begun(operation, reduce(functions.startAllReduce, RequestSlots.sentFlags(slot, flags),
                RequestSlots.flagsAddress(slot), Long.BYTES, ElementType.LONG, constants.and(), slot));
    }

    /**
     * MPIX_Comm_iagree on flags; {@link MpiOperation#agreedFlags} has the result.
     *
     * @param function MPIX_Comm_iagree of a library that has it
     */
    final void startAgreement(MemorySegment function, MpiOperation operation, int flags) throws MpiException {
        long slot = prepare(operation, null, null);
        begun(operation, ForeignCall.call(function, handle, RequestSlots.ownFlags(slot, flags), slot));
    }

    /**
     * MPI_Comm_dup: blocks. MPI_Comm_idup except with Open MPI: if MPI doesn't yield, a blocking call keeps the core
     * from the ranks for which it waits. All ranks call the same function, whether their nodes share cores or not.
     */
    public final MpiComm duplicate() throws MpiException {
        if (library.isOpenMpi()) {
            library.check(ForeignCall.call(functions.duplicate, handle, emptyHandle()));
            return library.communicator(handleResult());
        }
        MemorySegment fresh = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        long slot = prepare(blocking, fresh, null);
        await(begun(blocking, ForeignCall.call(functions.startDuplicate, handle, fresh.address(), slot)));
        return library.communicator(fresh.get(ValueLayout.JAVA_LONG, 0));
    }

    /** MPI_Comm_split in the order of ranks: blocks; null for {@link #NO_COLOR}. */
    public final @Nullable MpiComm split(int color) throws MpiException {
        library.check(ForeignCall.call(functions.split, handle, color == NO_COLOR ? constants.undefined() : color, rank,
                emptyHandle(), 0));
        return color == NO_COLOR ? null : library.communicator(handleResult());
    }

    /**
     * MPI_Comm_create_group: blocks. Called by the members of the new communicator.
     *
     * @param ranks of its processes, in their new order
     * @param tag not used in a concurrent call for other processes
     */
    public final MpiComm subset(int[] ranks, int tag) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            library.check(ForeignCall.call(functions.group, handle, emptyHandle()));
            MemorySegment before = arena.allocateFrom(ValueLayout.JAVA_LONG, handleResult());
            MemorySegment members = arena.allocateFrom(ValueLayout.JAVA_INT, ranks);
            library.check(ForeignCall.call(functions.include, before.get(ValueLayout.JAVA_LONG, 0), ranks.length,
                    members.address(), emptyHandle(), 0));
            MemorySegment after = arena.allocateFrom(ValueLayout.JAVA_LONG, handleResult());
            library.check(ForeignCall.call(functions.createGroup, handle, after.get(ValueLayout.JAVA_LONG, 0), tag,
                    emptyHandle(), 0));
            long fresh = handleResult();
            library.check(ForeignCall.call(functions.freeGroup, before.address()));
            library.check(ForeignCall.call(functions.freeGroup, after.address()));
            return library.communicator(fresh);
        }
    }

    /** MPI_Finalized: no other function may be called then. */
    public final boolean isFinalized() throws MpiException {
        return library.isFinalized();
    }

    /** MPI_Comm_free. */
    public final void free() throws MpiException {
        result.set(ValueLayout.JAVA_LONG, 0, handle);
        library.check(ForeignCall.call(functions.free, resultAddress));
        freed = true;
    }
}
