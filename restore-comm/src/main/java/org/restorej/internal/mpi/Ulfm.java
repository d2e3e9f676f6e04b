package org.restorej.internal.mpi;

import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import org.restorej.comm.RankMap;

/**
 * User-level failure mitigation: the functions of MPI with which survivors go on after a failure, for communicators of
 * one MPI library. Other calls on these communicators end with the errors {@link MpiException.Meaning#PROCESS_FAILED} and
 * {@link MpiException.Meaning#REVOKED}.
 *
 * @see <a href="https://fault-tolerance.org">Fault tolerance research hub: ULFM specification</a>
 */
public interface Ulfm {
    /** The functions for a communicator with these ranks. */
    default Ulfm of(RankMap ranks) {
        return this;
    }

    /** Whether processes can really fail: else failures are simulated. */
    boolean survivesFailures();

    /** MPIX_Comm_revoke. */
    void revoke(MpiComm communicator) throws MpiException;

    /** MPIX_Comm_is_revoked. */
    boolean isRevoked(MpiComm communicator) throws MpiException;

    /** MPIX_Comm_shrink: a communicator of the survivors. Called by all of them; blocks. */
    MpiComm shrink(MpiComm communicator) throws MpiException;

    /** The ranks of a communicator that a shrunk one is without. */
    IntSortedSet missingRanks(MpiComm communicator, MpiComm shrunk) throws MpiException;

    /**
     * MPIX_Comm_iagree: starts an agreement on the bitwise and of flags. Called by all survivors. It throws when a
     * process has failed, once they have agreed, and {@link MpiOperation#agreedFlags} has the result all the same.
     *
     * @param agreement begins
     * @param flags of this process
     */
    void startAgreement(MpiComm communicator, MpiOperation agreement, int flags) throws MpiException;

    /** MPIX_Comm_get_failed: ranks of the communicator whose processes this process knows to have failed. */
    IntSortedSet failedRanks(MpiComm communicator) throws MpiException;

    /** Makes processes fail. Called by all of the communicator with the same ranks; returns on the others. */
    void fail(MpiComm communicator, IntSet ranks) throws MpiException;
}
