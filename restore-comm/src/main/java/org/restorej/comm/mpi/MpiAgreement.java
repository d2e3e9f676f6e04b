package org.restorej.comm.mpi;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.program.Background;

/** An agreement of MPI under way. */
final class MpiAgreement extends MpiOperation implements PendingAgreement {
    /** How long those are waited for that other survivors may not have begun. */
    private static final long END_NANOS = 500_000_000;

    /** Of this process, on open communicators. */
    private static final Set<MpiAgreement> PENDING = ConcurrentHashMap.newKeySet();

    private final MpiCommunicator communicator;
    private boolean answered;
    private boolean processFailed;

    /** One that hasn't begun: MPI begins it, {@link #fail} or {@link #forget} follows. */
    MpiAgreement(MpiCommunicator communicator) {
        this.communicator = communicator;
        PENDING.add(this);
    }

    /**
     * Ends all that this process has begun, as far as the other survivors come to it. Open MPI 5.0.7 has crashed in
     * MPIX_Comm_shrink while agreements were pending.
     */
    static void endAll() {
        long start = System.nanoTime();
        while (!PENDING.isEmpty()) {
            List.copyOf(PENDING).forEach(MpiAgreement::test);
            if (System.nanoTime() - start > END_NANOS) {
                // Later calls don't wait for them again: a recovery in which failures follow one another calls often.
                PENDING.forEach(MpiAgreement::giveUp);
                PENDING.clear();
            }
        }
    }

    /** Its communicator is closed, or it hasn't begun: the others may never begin it. */
    void forget() {
        if (hasBegun() && !answered) {
            giveUp();
        }
        PENDING.remove(this);
    }

    /** It ends without flags on all survivors: a failure is simulated, and no message could tell them theirs. */
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
                // Not as a failure, after which this PE would go on: the others wait for it in this very agreement.
                throw new Mpi.CallException("agree", e);
            }
            // Never acknowledged here, a failure is reported to all PEs by every agreement after it.
            processFailed = true;
        }
        // Nothing is allocated from here to the end: the others go on, so this PE must know it too.
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
        // MPI can't, and uses no memory of the application.
    }
}
