package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;

/**
 * Blocking collective calls of one communicator. Through memory of their own: small, and so any kind of segment will do.
 * Not freed by hand: after an exception MPI may still use it. MPI ends them after a failure or a revocation.
 */
final class MpiCollectives {
    private final MpiComm mpi;
    private final RankMap ranks;
    private final MpiFailures failures;
    private final WaitLimit waitLimit;

    MpiCollectives(MpiComm mpi, RankMap ranks, MpiFailures failures, WaitLimit waitLimit) {
        this.mpi = mpi;
        this.ranks = ranks;
        this.failures = failures;
        this.waitLimit = waitLimit;
    }

    void allGather(MemorySegment mine, MemorySegment all) throws MpiException {
        call("allGather", mine, all, mpi::allGather);
    }

    void allReduce(MemorySegment values, MpiComm.ElementType type, Reduction reduction) throws MpiException {
        call("allReduce", values, values, (sent, received) -> mpi.allReduce(sent, received, type, reduction));
    }

    private interface Call {
        void run(MemorySegment sent, MemorySegment received) throws MpiException;
    }

    private void call(String operation, MemorySegment mine, MemorySegment result, Call call) throws MpiException {
        Arena arena = Arena.ofAuto();
        MemorySegment sent = arena.allocate(mine.byteSize(), Long.BYTES);
        MemorySegment received = arena.allocate(result.byteSize(), Long.BYTES);
        sent.copyFrom(mine);
        waitLimit.begin(operation, ranks);
        try {
            call.run(sent, received);
        } finally {
            waitLimit.end();
        }
        failures.requireNotInterrupted(operation);
        result.copyFrom(received);
    }
}
