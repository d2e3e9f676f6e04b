package org.restorej.internal.mpi.bindings;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Status;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Reduction;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * A communicator whose messages and collective calls go through the bindings. A call costs MPI's price and about 300 ns
 * for crossing into native code.
 */
final class BindingsComm extends MpiComm {
    /** The bindings make one of a handle only for their subclasses. */
    private static final class OfHandle extends Intracomm {
        OfHandle(long handle) throws MPIException {
            super(handle);
        }
    }

    /** The bindings tell the handle of a communicator only to itself. */
    private static final VarHandle HANDLE = handleField();

    private final Intracomm intracomm;

    BindingsComm(BindingsLibrary library, Intracomm intracomm) throws MpiException {
        super(library, (long) HANDLE.get(intracomm));
        this.intracomm = intracomm;
    }

    static BindingsComm ofHandle(BindingsLibrary library, long handle) throws MpiException {
        return new BindingsComm(library, call(() -> new OfHandle(handle)));
    }

    private static VarHandle handleField() {
        try {
            return MethodHandles.privateLookupIn(Comm.class, MethodHandles.lookup()).findVarHandle(Comm.class, "handle",
                    long.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the Java bindings of this Open MPI are of an unknown kind: their "
                    + "communicators have no accessible handle", e);
        }
    }

    Intracomm intracomm() {
        return intracomm;
    }

    @Override
    public boolean isFreed() {
        return super.isFreed() || intracomm.isNull();
    }

    @Override
    public boolean isErrorOfMpi(Throwable thrown) {
        return thrown instanceof MPIException;
    }

    @Override
    public <O extends MpiOperation> O send(O operation, MemorySegment message, int destination, int tag)
            throws MpiException {
        ByteBuffer buffer = message.asByteBuffer();
        return begun(operation, () -> intracomm.iSend(buffer, buffer.capacity(), MPI.BYTE, destination, tag));
    }

    @Override
    public <O extends MpiOperation> O sendSynchronous(O operation, MemorySegment message, int destination, int tag)
            throws MpiException {
        ByteBuffer buffer = message.asByteBuffer();
        return begun(operation, () -> intracomm.isSend(buffer, buffer.capacity(), MPI.BYTE, destination, tag));
    }

    @Override
    public <O extends MpiOperation> O receive(O operation, MemorySegment buffer, int source, int tag)
            throws MpiException {
        ByteBuffer destination = buffer.asByteBuffer();
        return begun(operation, () -> intracomm.iRecv(destination, destination.capacity(), MPI.BYTE, source, tag));
    }

    @Override
    public <O extends MpiOperation> O barrier(O operation) throws MpiException {
        return begun(operation, intracomm::iBarrier);
    }

    @Override
    public <O extends MpiOperation> O startAllReduce(O operation, MemorySegment sent, MemorySegment received,
            ElementType type, Reduction reduction) throws MpiException {
        return begun(operation, () -> intracomm.iAllReduce(sent.asByteBuffer(), received.asByteBuffer(),
                count(sent), datatype(type), op(reduction)));
    }

    /** The request refers to the buffers, and so to the memory behind them. */
    private <O extends MpiOperation> O begun(O operation, Call<mpi.Request> begin) throws MpiException {
        operation.begun(this, call(begin));
        return operation;
    }

    @Override
    protected boolean poll(MpiOperation operation) throws MpiException {
        return operation.held() instanceof mpi.Request request ? call(request::test) : super.poll(operation);
    }

    @Override
    protected void withdraw(MpiOperation operation) throws MpiException {
        if (operation.held() instanceof mpi.Request request) {
            run(request::cancel);
        } else {
            super.withdraw(operation);
        }
    }

    @Override
    public @Nullable Message probe(int source, int tag) throws MpiException {
        Status status = BindingsComm.<@Nullable Status>call(() -> intracomm.iProbe(
                source == ANY_SOURCE ? MPI.ANY_SOURCE : source, tag == ANY_TAG ? MPI.ANY_TAG : tag));
        return status == null
                ? null
                : call(() -> new Message(status.getSource(), status.getTag(), status.getCount(MPI.BYTE)));
    }

    @Override
    public void allGather(MemorySegment sent, MemorySegment received) throws MpiException {
        int bytes = (int) sent.byteSize();
        run(() -> intracomm.allGather(sent.asByteBuffer(), bytes, MPI.BYTE, received.asByteBuffer(), bytes, MPI.BYTE));
    }

    @Override
    public void allReduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction reduction)
            throws MpiException {
        run(() -> intracomm.allReduce(sent.asByteBuffer(), received.asByteBuffer(), count(sent), datatype(type),
                op(reduction)));
    }

    private static int count(MemorySegment elements) {
        return (int) (elements.byteSize() / Long.BYTES);
    }

    private static Datatype datatype(ElementType type) {
        return switch (type) {
            case LONG -> MPI.LONG;
            case DOUBLE -> MPI.DOUBLE;
        };
    }

    private static Op op(Reduction reduction) {
        return switch (reduction) {
            case SUM -> MPI.SUM;
            case MIN -> MPI.MIN;
            case MAX -> MPI.MAX;
        };
    }

    /** A call of the bindings. */
    interface Call<T extends @Nullable Object> {
        T run() throws MPIException;
    }

    /** A call of the bindings without a result. */
    interface Run {
        void run() throws MPIException;
    }

    static <T extends @Nullable Object> T call(Call<T> call) throws MpiException {
        try {
            return call.run();
        } catch (MPIException e) {
            MpiException error = new MpiException(e.getErrorCode(), e.getErrorClass(), e.getMessage());
            error.initCause(e);
            throw error;
        }
    }

    static void run(Run call) throws MpiException {
        BindingsComm.<@Nullable Object>call(() -> {
            call.run();
            return null;
        });
    }
}
