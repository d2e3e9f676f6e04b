/**
 * A cluster of threads: PEs in this JVM, with failures at chosen calls, reproducible from a seed. Start at
 * {@link org.restorej.comm.local.LocalCluster}.
 *
 * <p>
 * Uses {@code comm}, {@code internal.program}, and {@code internal.memory} to free memory at the end of a run. Called
 * by programs and tests.
 *
 * <p>
 * To change how a failure on threads is detected, start at {@code FailureDetector}; the delay of notices and messages,
 * at {@code NetworkModel}; the order of events in a single-stepped run, at {@code SingleStepping}; failures at chosen
 * calls, at {@code LocalCluster.FaultInjector}.
 */
@NullMarked
package org.restorej.comm.local;

import org.jspecify.annotations.NullMarked;
