package org.restorej.demo.phylo.run;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.codec.Codecs;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.phylo.optimize.ModelState;
import org.restorej.demo.phylo.optimize.Optimizer;
import org.restorej.demo.run.FailureDrill;
import org.restorej.demo.run.FailureSchedule;
import org.restorej.demo.run.PeTask;
import org.restorej.demo.run.Progress;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.ToBeContinuedException;
import org.restorej.loop.LoopValue;
import org.restorej.redset.LoopFiles;

/**
 * One PE's part of a run; all PEs do theirs.
 *
 * <p>
 * Each PE writes its own share of the patterns, submits it, and works on a copy; or goes on from what an earlier run has
 * left in files. The PEs first compute the answer without failures, by the same code on the same shares, as something to
 * compare with: one iteration in mode evaluate, a whole optimisation otherwise. Then come the iterations of the loop, in
 * which PEs fail.
 */
public final class PhyloRun implements PeTask<RunOutcome> {
    private static final CheckpointInterval EACH = CheckpointInterval.iterations(1);

    private final Analysis analysis;
    private final RunSettings settings;
    private final Optional<LoopFiles> files;
    private final Progress progress;
    private final PatternWork work;
    private final FailureDrill drill;
    private Communicator communicator;

    /**
     * Prepares this PE.
     *
     * @param world all PEs
     * @param analysis the same on every PE
     * @param settings the same on every PE
     * @param files where it saves after each iteration, if anywhere
     * @param progress is told by one PE at a time
     */
    public PhyloRun(Communicator world, Analysis analysis, RunSettings settings, Optional<LoopFiles> files,
            Progress progress) {
        this.communicator = world;
        this.analysis = analysis;
        this.settings = settings;
        this.files = files;
        this.progress = progress;
        drill = new FailureDrill(progress, settings.kills());
        work = new PatternWork(analysis, sums -> sums.allReduce(communicator));
    }

    @Override
    public Communicator communicator() {
        return communicator;
    }

    @Override
    public RunOutcome run() {
        LoadBalancer balancer = LoadBalancer.equal(communicator.size(), analysis.blockCount());
        try (ReStore store = settings.redundancy().of(ReStore.builder(communicator).blocks(analysis.blockCount())
                .blockSizeBytes(analysis.layout().blockSizeBytes())).build();
                CheckpointLoop loop = new CheckpointLoop(communicator, balancer, EACH).onRecovery(drill::noteRecovery)
                        .describe(settings.mode() + "; " + analysis.description())) {
            files.ifPresent(folder -> loop.persist(folder, EACH));
            loop.keep(new KeptPatterns(store, analysis, work));
            LoopValue<double[]> state = loop.value(Codecs.DOUBLES, work.start().numbers());
            LoopValue<Boolean> converged = loop.value(Codecs.BOOLEAN, false);
            try {
                return iterations(store, loop, state, converged);
            } catch (IrrecoverableDataLossException loss) {
                drill.endAtLoss(loop, loss);
                return new RunOutcome.PatternsLost(drill.recoveries(), drill.iteration(),
                        Arrays.stream(loss.failedRanks().values()).boxed().toList(), loop.communicator().size(),
                        loss.lostBlocks());
            } catch (ToBeContinuedException | IllegalStateException ended) {
                if (!(ended instanceof KnownToAll)) {
                    throw ended;
                }
                return new RunOutcome.Ended(drill.recoveries(), String.valueOf(ended.getMessage()),
                        ended instanceof ToBeContinuedException ? Mpi.EXIT_CODE_CONTINUED : 1);
            } finally {
                communicator = loop.communicator();
            }
        }
    }

    private RunOutcome iterations(ReStore store, CheckpointLoop loop, LoopValue<double[]> state,
            LoopValue<Boolean> converged) {
        // No iteration: the patterns are submitted, or come from files.
        loop.run(0, (comm, iteration) -> {});
        // Where bin/mpirun-java has started the job again, because of a failure in the iteration that follows.
        boolean restarted = !Objects.requireNonNullElse(System.getenv("RESTOREJ_RESTART_COUNT"), "0").equals("0");
        FailureSchedule failures = settings.failures().after(restarted ? (int) loop.iteration() + 1 : 0);
        ModelState reference = loop.evaluate(this::withoutFailures);
        boolean optimizing = settings.mode() == Mode.OPTIMIZE;
        drill.begin(loop);
        while (loop.iteration() < settings.iterations() && !converged.get()) {
            int iteration = (int) loop.iteration() + 1;
            drill.enter(iteration);
            loop.run(iteration, (comm, done) -> {
                communicator = comm;
                drill.injectFailures(comm, failures);
                ModelState before = ModelState.of(state.get());
                ModelState after = work.iterate(settings.mode(), before);
                state.set(after.numbers());
                converged.set(optimizing && Optimizer.hasConverged(before, after));
            });
            double logLikelihood = ModelState.of(state.get()).logLikelihood();
            drill.summarizeRecoveries(loop);
            drill.noteValue(logLikelihood);
            if (loop.communicator().rank() == 0) {
                progress.iterationDone(iteration, logLikelihood);
            }
        }
        drill.end(loop);
        ModelState end = ModelState.of(state.get());
        int iterations = (int) loop.iteration();
        Optional<double[]> perPattern = settings.wantsSiteValues()
                ? Optional.of(loop.evaluate(comm -> patternLogLikelihoods(comm, end)))
                : Optional.empty();
        long[] bytes = loop.evaluate(comm -> memory(comm, store));
        drill.summarizeRecoveries(loop);
        return new RunOutcome.Finished(drill.recoveries(), loop.communicator().size(), iterations,
                !optimizing || converged.get(), end, reference.logLikelihood(), settings.failures().after(iterations),
                bytes[0], bytes[1], perPattern);
    }

    private ModelState withoutFailures(Communicator comm) {
        communicator = comm;
        boolean optimizing = settings.mode() == Mode.OPTIMIZE;
        ModelState before = work.start();
        ModelState state = work.iterate(settings.mode(), before);
        for (int done = 1; optimizing && done < settings.iterations()
                && !Optimizer.hasConverged(before, state); done++) {
            before = state;
            state = work.iterate(settings.mode(), before);
        }
        return state;
    }

    private double[] patternLogLikelihoods(Communicator comm, ModelState state) {
        double[] all = new double[Math.toIntExact(analysis.blockCount())];
        work.logLikelihoods(state, all);
        comm.allReduce(all, Reduction.SUM);
        return all;
    }

    private long[] memory(Communicator comm, ReStore store) {
        long[] bytes = {store.replicaBytes(), work.patternCount() * store.blockSizeBytes()};
        comm.allReduce(bytes, Reduction.MAX);
        return bytes;
    }
}
