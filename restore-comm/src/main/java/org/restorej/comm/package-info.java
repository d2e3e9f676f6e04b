/**
 * The contract: what the store needs of a message-passing library. Ranks, messages, collective calls, failures,
 * agreement.
 *
 * <p>
 * Interfaces and values only; calls nothing else of this project but checks of arguments and {@code internal.memory},
 * and knows neither blocks nor replicas. {@code comm.collective} has what is the same on all transports;
 * {@code comm.local} implements the rest with threads, {@code comm.mpi} on MPI; another transport can come in beside
 * them.
 *
 * <p>
 * To add a transport, start at {@code comm.collective.CollectiveCommunicator}: extend it in a package beside
 * {@code comm.local}, and implement {@code FailureSimulation} where PEs can be made to fail; list the package in
 * ARCHITECTURE.md; run {@code CommunicatorContractPrograms} on it in the tests; for the demo,
 * {@code demo.phylo.Transport} and {@code demo.phylo.PhyloJob}. To change groups of PEs, start at {@code Communicator},
 * {@code split}: each transport makes its own; the tests are {@code SplitPrograms}.
 */
@NullMarked
package org.restorej.comm;

import org.jspecify.annotations.NullMarked;
