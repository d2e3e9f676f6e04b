package org.restorej.internal.mpi.bindings;

import static org.restorej.internal.mpi.bindings.BindingsLibrary.call;
import static org.restorej.internal.mpi.bindings.BindingsLibrary.run;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Status;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.comm.Reduction;

/** A communicator of the bindings. A call costs MPI's price and about 300 ns for crossing into native code. */
final class BindingsComm implements MpiComm {
    /** The bindings make one of a handle only for their subclasses. */
    private static final class OfHandle extends Intracomm {
        OfHandle(long handle) throws MPIException {
            super(handle);
        }
    }

    private final Intracomm intracomm;
    private final int rank;
    private final int size;

    BindingsComm(Intracomm intracomm) throws MpiException {
        this.intracomm = intracomm;
        run(() -> intracomm.setErrhandler(MPI.ERRORS_RETURN));
        rank = call(intracomm::getRank);
        size = call(intracomm::getSize);
    }

    static BindingsComm ofHandle(long handle) throws MpiException {
        return new BindingsComm(call(() -> new OfHandle(handle)));
    }

    Intracomm intracomm() {
        return intracomm;
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
        return Handles.of(intracomm);
    }

    @Override
    public boolean isFreed() {
        return intracomm.isNull();
    }

    @Override
    public boolean isErrorOfMpi(Throwable thrown) {
        return thrown instanceof MPIException;
    }

    /** Apart, since only fault tolerance needs them. The bindings tell the handle of a communicator only to itself. */
    private static final class Handles {
        private static final VarHandle FIELD = field();

        private Handles() {}

        static long of(Intracomm intracomm) {
            return (long) FIELD.get(intracomm);
        }

        private static VarHandle field() {
            try {
                return MethodHandles.privateLookupIn(Comm.class, MethodHandles.lookup()).findVarHandle(Comm.class,
                        "handle", long.class);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the Java bindings of this Open MPI are of an unknown kind: their "
                        + "communicators have no accessible handle", e);
            }
        }
    }

    @Override
    public MpiOperation send(MemorySegment message, int destination, int tag) throws MpiException {
        ByteBuffer buffer = message.asByteBuffer();
        return start(() -> intracomm.iSend(buffer, buffer.capacity(), MPI.BYTE, destination, tag));
    }

    @Override
    public MpiOperation sendSynchronous(MemorySegment message, int destination, int tag) throws MpiException {
        ByteBuffer buffer = message.asByteBuffer();
        return start(() -> intracomm.isSend(buffer, buffer.capacity(), MPI.BYTE, destination, tag));
    }

    @Override
    public MpiOperation receive(MemorySegment buffer, int source, int tag) throws MpiException {
        ByteBuffer destination = buffer.asByteBuffer();
        return start(() -> intracomm.iRecv(destination, destination.capacity(), MPI.BYTE, source, tag));
    }

    @Override
    public @Nullable Message probe(int source, int tag) throws MpiException {
        Status status = BindingsLibrary.<@Nullable Status>call(() -> intracomm.iProbe(
                source == ANY_SOURCE ? MPI.ANY_SOURCE : source, tag == ANY_TAG ? MPI.ANY_TAG : tag));
        return status == null
                ? null
                : call(() -> new Message(status.getSource(), status.getTag(), status.getCount(MPI.BYTE)));
    }

    @Override
    public MpiOperation barrier() throws MpiException {
        return start(intracomm::iBarrier);
    }

    private static MpiOperation start(BindingsLibrary.Call<mpi.Request> start) throws MpiException {
        return new Operation(call(start));
    }

    @Override
    public void allGather(MemorySegment sent, MemorySegment received) throws MpiException {
        int bytes = (int) sent.byteSize();
        run(() -> intracomm.allGather(sent.asByteBuffer(), bytes, MPI.BYTE, received.asByteBuffer(), bytes, MPI.BYTE));
    }

    @Override
    public void allReduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction operation)
            throws MpiException {
        run(() -> intracomm.allReduce(sent.asByteBuffer(), received.asByteBuffer(), count(sent, type), datatype(type),
                op(operation)));
    }

    @Override
    public MpiOperation startAllReduce(MemorySegment sent, MemorySegment received, ElementType type,
            Reduction operation) throws MpiException {
        return start(() -> intracomm.iAllReduce(sent.asByteBuffer(), received.asByteBuffer(), count(sent, type),
                datatype(type), op(operation)));
    }

    @Override
    public MpiOperation startAnd(MemorySegment sent, MemorySegment received) throws MpiException {
        return start(() -> intracomm.iAllReduce(sent.asByteBuffer(), received.asByteBuffer(), 1, MPI.LONG, MPI.BAND));
    }

    private static int count(MemorySegment elements, ElementType type) {
        return (int) (elements.byteSize() / type.bytes());
    }

    private static Datatype datatype(ElementType type) {
        return switch (type) {
            case LONG -> MPI.LONG;
            case DOUBLE -> MPI.DOUBLE;
        };
    }

    private static Op op(Reduction operation) {
        return switch (operation) {
            case SUM -> MPI.SUM;
            case MIN -> MPI.MIN;
            case MAX -> MPI.MAX;
        };
    }

    @Override
    public MpiComm duplicate() throws MpiException {
        return new BindingsComm(call(intracomm::dup));
    }

    @Override
    public @Nullable MpiComm split(int color) throws MpiException {
        Intracomm group = call(() -> intracomm.split(color == NO_COLOR ? MPI.UNDEFINED : color, rank));
        return color == NO_COLOR ? null : new BindingsComm(group);
    }

    @Override
    public MpiComm subset(int[] ranks, int tag) throws MpiException {
        return new BindingsComm(call(() -> {
            Group before = intracomm.getGroup();
            Group after = before.incl(ranks);
            Intracomm fresh = intracomm.createGroup(after, tag);
            before.free();
            after.free();
            return fresh;
        }));
    }

    @Override
    public boolean isFinalized() throws MpiException {
        return call(MPI::isFinalized);
    }

    @Override
    public void free() throws MpiException {
        run(() -> intracomm.free());
    }

    /**
     * A request of the bindings, which refers to the buffers, and so to the memory behind them.
     *
     * @param request of the bindings
     */
    private record Operation(mpi.Request request) implements MpiOperation {
        @Override
        public boolean test() throws MpiException {
            return call(request::test);
        }

        @Override
        public void cancel() throws MpiException {
            run(request::cancel);
        }
    }
}
