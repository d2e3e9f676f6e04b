/**
 * The contract: what the store needs of a message-passing library. Ranks, messages, collective calls, failures,
 * agreement, and {@link org.restorej.comm.Settlement}, which brings a collective operation to one end on all survivors.
 *
 * <p>
 * Calls nothing else of this project but what counts off-heap memory, and knows neither blocks nor replicas.
 * {@code comm.local} implements it with threads, {@code comm.mpi} on MPI; another transport can come in beside them.
 *
 * <p>
 * To add a transport, start at {@code Communicator}: implement it in a package beside {@code comm.local}, and
 * {@code FailureSimulation} where PEs can be made to fail; list the package in ARCHITECTURE.md; extend
 * {@code CommunicatorContract} in the tests; for the demos, {@code demo.transport.Transport} and
 * {@code demo.command.DistributedRun}. To add an operation of all transports, start at {@code Communicator} with a
 * class as {@code Broadcast} or {@code ArrayGather}, over messages ({@code MessageExchange}); its programs go into
 * {@code ArrayPrograms} of the tests, its failures into {@code faults.ArrayCrashTest}. To change groups of PEs, start
 * at {@code Communicator}, {@code split}: each transport makes its own; the tests are {@code SplitPrograms}. To change
 * how all PEs come to the same end of an operation, start at {@code Settlement}; huge pages, at
 * {@code Communicator}, {@code allocateOnHugePages}.
 */
@NullMarked
package org.restorej.comm;

import org.jspecify.annotations.NullMarked;
