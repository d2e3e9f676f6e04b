package org.restorej.internal.mpi.bindings;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * A communicator whose messages are sent and received by the bindings. A call costs MPI's price and about 300 ns for
 * crossing into native code. All other calls are those of other communicators: they are on the same MPI.
 */
final class BindingsComm extends MpiComm {
    /** The bindings create a communicator from a handle only in subclasses. */
    private static final class OfHandle extends Intracomm {
        OfHandle(long handle) throws MPIException {
            super(handle);
        }
    }

    /** The bindings' private field with the handle of a communicator. */
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

    /** Starts an operation. The request refers to the buffers, and so keeps their memory reachable. */
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
