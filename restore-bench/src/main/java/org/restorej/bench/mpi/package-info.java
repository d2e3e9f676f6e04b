/**
 * JMH benchmarks of what PEs do together, for ranks under {@code mpirun}.
 *
 * <p>
 * All ranks run the same JMH options, one invocation at a time and as many as were asked for ({@code SingleShotTime},
 * no forks): modes that go by time would end in a deadlock as soon as two ranks disagreed on how often. Only the first
 * rank prints, and writes JMH's JSON. A time is from a barrier until <em>all</em> ranks are done: it ends with a
 * barrier, too, so that the first rank's time is the largest of all ranks' times, and the price of one barrier;
 * {@link BarrierBenchmark} measures that price. Rivals are behind the parameter {@code method}, and pay the same.
 * Calls the store, redset and plain MPI; called by JMH, which {@link RankMain} starts.
 *
 * <p>
 * To add a benchmark between ranks, start with a class as {@code SubmitBenchmark}. First calls of a job are measured
 * by {@code JobLife}, {@code RecoveryLife}, {@code FileLife}, {@code DatasetsLife} and {@code LoopLife}, which
 * {@code bench.cli.LifeSuite} starts, and which write {@code bench.result.ProgramTimes}.
 */
@NullMarked
package org.restorej.bench.mpi;

import org.jspecify.annotations.NullMarked;
