/**
 * What the protocols need of a message-passing library, and an embedded one: PEs as threads of this JVM.
 *
 * <p>
 * Calls nothing else of this project but {@code org.restorej.memory}, to free what a run of PEs has left. Knows neither
 * blocks nor replicas, and nothing of MPI: that is in {@code org.restorej.comm.mpi}, and another transport can come in
 * beside it.
 */
@NullMarked
package org.restorej.comm;

import org.jspecify.annotations.NullMarked;
