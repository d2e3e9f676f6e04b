package org.restorej.internal.mpi;

import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import org.restorej.comm.RankMap;

/**
 * User-level failure mitigation: the functions of MPI with which survivors continue after a failure, for communicators
 * of one MPI library. Their ranks are passed with them. Other calls on these communicators end with the errors
 * {@link MpiException.Meaning#PROCESS_FAILED} and {@link MpiException.Meaning#REVOKED}.
 *
 * @see <a href="https://fault-tolerance.org">Fault tolerance research hub: ULFM specification</a>
 */
public interface Ulfm {
    /** Whether failures are real; otherwise they are simulated. */
    boolean survivesFailures();

    /** Throws on a process whose failure is simulated. */
    void requireSelfAlive();

    /** Number of simulated failures among all processes so far, known on all of them without a message. */
    int simulatedFailures();

    /**
     * MPIX_Comm_revoke. If failures are simulated, other processes can't be notified, so a reason of this process ends
     * the job.
     */
    void revoke(MpiComm communicator, RankMap ranks, Throwable reason) throws MpiException;

    /** MPIX_Comm_is_revoked. */
    boolean isRevoked(MpiComm communicator) throws MpiException;

    /** MPIX_Comm_shrink: a communicator of the survivors. Called by all of them; blocks. */
    MpiComm shrink(MpiComm communicator, RankMap ranks) throws MpiException;

    /** The ranks of a communicator that a shrunk one lacks. */
    IntSortedSet missingRanks(MpiComm communicator, RankMap ranks, MpiComm shrunk) throws MpiException;

    /**
     * MPIX_Comm_iagree: starts an agreement on the bitwise and of flags. Called by all survivors. If a process has
     * failed, it throws after they have agreed; {@link MpiOperation#agreedFlags} has the result in either case.
     *
     * @param agreement is started
     * @param flags of this process
     */
    void startAgreement(MpiComm communicator, MpiOperation agreement, int flags) throws MpiException;

    /** MPIX_Comm_get_failed: ranks of the communicator whose processes this process knows to have failed. */
    IntSortedSet failedRanks(MpiComm communicator, RankMap ranks) throws MpiException;

    /** Makes processes fail. Called by all processes of the communicator with the same ranks; returns on the others. */
    void fail(MpiComm communicator, RankMap ranks, IntSet failing) throws MpiException;
}
