/**
 * The command {@code bench}: which benchmarks run with which parameters, and how they are started. Calls JMH in this
 * JVM and {@code bin/mpirun-java}; the command line of the project calls {@link BenchCommand}.
 *
 * <p>
 * To add an option, start at {@code BenchOptions}; to change how ranks are started, at {@code RankJobs}.
 */
@NullMarked
package org.restorej.bench.cli;

import org.jspecify.annotations.NullMarked;
