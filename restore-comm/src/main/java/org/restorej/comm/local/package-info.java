/**
 * A cluster of threads: PEs in this JVM, with failures at chosen calls, reproducible from a seed.
 *
 * <p>
 * Calls {@code comm}, {@code internal.program}, and {@code internal.memory} to free what a run of PEs has left.
 * Programs and tests call {@link org.restorej.comm.local.LocalCluster}.
 *
 * <p>
 * To change how a failure on threads is detected, start at {@code FailureDetector}; how late news and messages come, at
 * {@code NetworkModel}; the order of events in a single-stepped run, at {@code SingleStepping}; failures at chosen calls, at {@code LocalCluster.FaultInjector}.
 */
@NullMarked
package org.restorej.comm.local;

import org.jspecify.annotations.NullMarked;
