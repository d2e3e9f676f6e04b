package org.restorej.comm.mpi;

import java.util.concurrent.TimeUnit;
import org.restorej.comm.Communicator;
import org.restorej.internal.mpi.FailureMeaning;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;

/**
 * Waits for the others at the end of the library's part in a program that ends MPI itself, under ULFM.
 *
 * @param everybody a communicator of all processes that nothing else uses
 * @param lookNanos between two looks for failures
 */
record EmbeddedEnd(MpiComm everybody, Ulfm ulfm, long lookNanos) {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** See {@link EmbeddedMpi#end}. */
    boolean await(Communicator latest) {
        try {
            boolean whole = ulfm.failedRanks(everybody).isEmpty() && latest.failedRanks().isEmpty();
            // Not closed when given up: MPI still writes to it.
            Ulfm.PendingAgreement agreement = ulfm.startAgreement(everybody, whole ? 1 : 0);
            long look = System.nanoTime();
            long usable = look;
            while (!agreement.test()) {
                long now = System.nanoTime();
                if (now - look < lookNanos) {
                    continue;
                }
                look = now;
                if (!latest.isRevoked() && latest.failedRanks().isEmpty()) {
                    usable = now;
                } else if (now - usable > GRACE_NANOS) {
                    return false;
                }
            }
            boolean nobodyDied = agreement.agreedFlags() == 1;
            agreement.close();
            return nobodyDied;
        } catch (MpiException e) {
            if (e.meaning() != FailureMeaning.PROCESS_FAILED) {
                throw new MpiCallException("end", e);
            }
            return false;
        }
    }
}
