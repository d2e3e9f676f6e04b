package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.mpi.Ulfm;

/** An agreement without failures: an {@code MPI_Iallreduce}. */
final class PlainAgreement implements Ulfm.PendingAgreement {
    /** That of survivors on a communicator with a failed rank. */
    static final PlainAgreement FAILED = new PlainAgreement(MemorySegment.ofArray(new long[1]), null);

    private final MemorySegment result;
    /** Null when it has ended. */
    private @Nullable MpiOperation pending;

    private PlainAgreement(MemorySegment result, @Nullable MpiOperation pending) {
        this.result = result;
        this.pending = pending;
    }

    static PlainAgreement begin(MpiComm communicator, int flags) throws MpiException {
        MemorySegment sent = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, flags);
        MemorySegment result = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        return new PlainAgreement(result, communicator.startAnd(sent, result));
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean test() throws MpiException {
        if (this == FAILED) {
            throw new MpiException(0, 0, "MPIX_ERR_PROC_FAILED: simulated");
        }
        if (pending != null && pending.test()) {
            pending = null;
        }
        return pending == null;
    }

    @Override
    public int agreedFlags() {
        return (int) result.get(ValueLayout.JAVA_LONG, 0);
    }

    /** Whether all ranks have set a flag. */
    boolean has(int flag) {
        return (agreedFlags() & flag) != 0;
    }

    /** Its memory is MPI's for as long as it needs it. */
    @Override
    public void close() {}
}
