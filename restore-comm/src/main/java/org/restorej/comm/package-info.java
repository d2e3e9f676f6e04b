/**
 * The contract: what the store needs of a message-passing library. Ranks, messages, collective calls, failures,
 * agreement, and {@link org.restorej.comm.Settlement}, which brings a collective operation to one end on all survivors.
 *
 * <p>
 * Calls nothing else of this project but what counts off-heap memory, and knows neither blocks nor replicas.
 * {@code comm.local} implements it with threads, {@code comm.mpi} on MPI; another transport can come in beside them.
 */
@NullMarked
package org.restorej.comm;

import org.jspecify.annotations.NullMarked;
