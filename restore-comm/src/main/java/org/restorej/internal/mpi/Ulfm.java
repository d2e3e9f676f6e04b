package org.restorej.internal.mpi;

import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import org.restorej.comm.RankMap;

/**
 * User-level failure mitigation: the functions of MPI with which survivors go on after a failure, for communicators of
 * one MPI library, whose ranks are given with them. Other calls on these communicators end with the errors
 * {@link MpiException.Meaning#PROCESS_FAILED} and {@link MpiException.Meaning#REVOKED}.
 *
 * @see <a href="https://fault-tolerance.org">Fault tolerance research hub: ULFM specification</a>
 */
public interface Ulfm {
    /** Whether processes can really fail: else failures are simulated. */
    boolean survivesFailures();

    /** Throws on a process whose failure is simulated. */
    void requireSelfAlive();

    /** How many failures are simulated so far, among all processes: known on all of them without a message. */
    int simulatedFailures();

    /** MPIX_Comm_revoke; where failures are simulated nobody can be told, so that a reason of this process ends the job. */
    void revoke(MpiComm communicator, RankMap ranks, Throwable reason) throws MpiException;

    /** MPIX_Comm_is_revoked. */
    boolean isRevoked(MpiComm communicator) throws MpiException;

    /** MPIX_Comm_shrink: a communicator of the survivors. Called by all of them; blocks. */
    MpiComm shrink(MpiComm communicator, RankMap ranks) throws MpiException;

    /** The ranks of a communicator that a shrunk one is without. */
    IntSortedSet missingRanks(MpiComm communicator, RankMap ranks, MpiComm shrunk) throws MpiException;

    /**
     * MPIX_Comm_iagree: starts an agreement on the bitwise and of flags. Called by all survivors. It throws when a
     * process has failed, once they have agreed, and {@link MpiOperation#agreedFlags} has the result all the same.
     *
     * @param agreement begins
     * @param flags of this process
     */
    void startAgreement(MpiComm communicator, MpiOperation agreement, int flags) throws MpiException;

    /** MPIX_Comm_get_failed: ranks of the communicator whose processes this process knows to have failed. */
    IntSortedSet failedRanks(MpiComm communicator, RankMap ranks) throws MpiException;

    /** Makes processes fail. Called by all of the communicator with the same ranks; returns on the others. */
    void fail(MpiComm communicator, RankMap ranks, IntSet failing) throws MpiException;
}
