/**
 * A cluster of threads: PEs in this JVM, with deaths at chosen calls, and reproducible from a seed.
 *
 * <p>
 * Calls {@code comm}, {@code internal.program}, and {@code internal.memory} to free what a run of PEs has left. Start
 * at {@link org.restorej.comm.local.LocalCluster}.
 */
@NullMarked
package org.restorej.comm.local;

import org.jspecify.annotations.NullMarked;
