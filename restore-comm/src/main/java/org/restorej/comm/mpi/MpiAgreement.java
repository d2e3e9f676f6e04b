package org.restorej.comm.mpi;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.program.Background;

/** A pending agreement of MPI. */
final class MpiAgreement extends MpiOperation implements PendingAgreement {
    /** How long {@link #endAll} waits for agreements that other survivors may not have started. */
    private static final long END_NANOS = 500_000_000;

    /** The pending agreements of this process on open communicators. */
    private static final Set<MpiAgreement> PENDING = ConcurrentHashMap.newKeySet();

    private final MpiCommunicator communicator;
    private boolean answered;
    private boolean processFailed;

    /** Creates an agreement that is not started; MPI starts it, or {@link #fail} or {@link #forget} is called. */
    MpiAgreement(MpiCommunicator communicator) {
        this.communicator = communicator;
        PENDING.add(this);
    }

    /**
     * Completes all agreements that this process has started, as far as the other survivors have started them, too.
     * Open MPI 5.0.7 has crashed in MPIX_Comm_shrink while agreements were pending.
     */
    static void endAll() {
        long start = System.nanoTime();
        while (!PENDING.isEmpty()) {
            List.copyOf(PENDING).forEach(MpiAgreement::test);
            if (System.nanoTime() - start > END_NANOS) {
                // Not awaited again: a recovery from consecutive failures calls this often.
                PENDING.forEach(MpiAgreement::giveUp);
                PENDING.clear();
            }
        }
    }

    /** Called when its communicator is closed, or it was not started: the others may never start it. */
    void forget() {
        if (hasBegun() && !answered) {
            giveUp();
        }
        PENDING.remove(this);
    }

    /** Completes it without flags on all survivors: a failure is simulated, and no message could carry the flags. */
    void fail() {
        processFailed = true;
        answer();
    }

    private void answer() {
        answered = true;
        PENDING.remove(this);
    }

    @Override
    public boolean test() {
        if (answered) {
            return true;
        }
        try {
            if (!poll()) {
                Background.progress();
                return false;
            }
        } catch (MpiException e) {
            if (e.meaning() != MpiException.Meaning.PROCESS_FAILED) {
                // Not thrown as a failure, after which this PE would continue: the others wait for it in this
                // agreement.
                throw new Mpi.CallException("agree", e);
            }
            // It is never acknowledged here, so every later agreement reports the failure to all PEs, too.
            processFailed = true;
        }
        // From here on nothing is allocated: the others continue, so this PE must complete, too.
        answer();
        return true;
    }

    /** Whether it needs no further test. */
    boolean isOver() {
        return answered;
    }

    @Override
    public void await() {
        try (WaitLimit _ = communicator.waits("agree")) {
            PendingAgreement.super.await();
        }
    }

    @Override
    public Agreement agreement() {
        if (!answered) {
            throw new IllegalStateException("the PEs have not agreed yet, or test has not been called since");
        }
        return new Agreement(agreedFlags(), processFailed);
    }

    @Override
    public void cancel() {
        // MPI can't cancel it, and it uses no memory of the application.
    }
}
