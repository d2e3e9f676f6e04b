package org.restorej.demo.phylo.run;

import java.util.Arrays;
import java.util.Optional;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.demo.phylo.optimize.ModelState;
import org.restorej.demo.phylo.optimize.Optimizer;
import org.restorej.demo.run.FailureDrill;
import org.restorej.demo.run.FailureSchedule;
import org.restorej.demo.run.PeTask;
import org.restorej.demo.run.Progress;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.RangeCheckpoint;
import org.restorej.redset.RedsetException;

/**
 * One PE's part of a run; all PEs do theirs.
 *
 * <p>
 * Each PE writes its own share of the patterns, submits it, and works on a copy; or, when the run is restarted, all
 * load what an earlier one has left in files, and each pulls its share. The PEs first compute the answer
 * without failures, by the same code on the same shares, as something to compare with: one iteration in mode evaluate,
 * a whole optimisation otherwise. Then come the iterations in which PEs fail.
 */
public final class PhyloRun implements PeTask<RunOutcome> {
    private final Analysis analysis;
    private final RunSettings settings;
    private final Progress progress;
    private final PatternWork work;
    private final FailureDrill drill;
    private Communicator communicator;

    /** Where a sequence of iterations ended. */
    private record End(ModelState state, int iterations, boolean converged) {}

    /**
     * Prepares this PE.
     *
     * @param world all PEs
     * @param analysis the same on every PE
     * @param settings the same on every PE
     * @param progress is told by one PE at a time
     */
    public PhyloRun(Communicator world, Analysis analysis, RunSettings settings, Progress progress) {
        this.communicator = world;
        this.analysis = analysis;
        this.settings = settings;
        this.progress = progress;
        drill = new FailureDrill(progress);
        work = new PatternWork(analysis, sums -> sums.allReduce(communicator));
    }

    @Override
    public Communicator communicator() {
        return communicator;
    }

    @Override
    public RunOutcome run() {
        Optional<RangeCheckpoint> checkpoint = settings.checkpoint()
                .map(plan -> plan.open(communicator).describe(analysis.description()));
        LoadBalancer balancer = LoadBalancer.equal(communicator.size(), analysis.blockCount());
        try (ReStore store = build(checkpoint);
                CheckpointLoop loop = new CheckpointLoop(communicator, balancer, CheckpointInterval.iterations(1))
                        .onRecovery(drill::noteRecovery)) {
            Optional<String> obstacle = restart(store, checkpoint);
            if (obstacle.isPresent()) {
                return new RunOutcome.NotRestarted(obstacle.get());
            }
            loop.keep(new KeptPatterns(store, analysis, work));
            // No iteration: the patterns are submitted, or come from the store.
            loop.run(0, (comm, iteration) -> {});
            if (!restarts()) {
                checkpoint.ifPresent(files -> files.save(files.nextId(), store, loop.blocks()));
            }
            try {
                return iterations(store, loop);
            } catch (IrrecoverableDataLossException loss) {
                drill.endAtLoss(loop, loss);
                return new RunOutcome.PatternsLost(drill.recoveries(), drill.iteration(),
                        Arrays.stream(loss.failedRanks().values()).boxed().toList(), loop.communicator().size(),
                        loss.lostBlocks());
            } finally {
                communicator = loop.communicator();
            }
        } finally {
            checkpoint.ifPresent(RangeCheckpoint::close);
        }
    }

    private boolean restarts() {
        return settings.checkpoint().filter(CheckpointPlan::restarts).isPresent();
    }

    private ReStore build(Optional<RangeCheckpoint> checkpoint) {
        ReStoreBuilder builder = settings.redundancy().of(ReStore.builder(communicator).blocks(analysis.blockCount())
                .blockSizeBytes(analysis.layout().blockSizeBytes()));
        checkpoint.ifPresent(files -> builder.fallback(files.fallback()));
        return builder.build();
    }

    /**
     * Brings the patterns from files into the store, where the run is restarted.
     *
     * @return why that can't be done
     */
    private Optional<String> restart(ReStore store, Optional<RangeCheckpoint> checkpoint) {
        try {
            return restarts() && checkpoint.orElseThrow().load(store).isEmpty()
                    ? Optional.of("there are no files of an earlier run")
                    : Optional.empty();
        } catch (IllegalArgumentException | RedsetException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    private RunOutcome iterations(ReStore store, CheckpointLoop loop) {
        int referenceIterations = settings.mode() == Mode.EVALUATE ? 1 : settings.iterations();
        End reference = iterate(loop, referenceIterations, FailureSchedule.NONE, Progress.SILENT);
        drill.begin(loop);
        End end = iterate(loop, settings.iterations(), settings.failures(), progress);
        drill.end(loop);
        Optional<double[]> perPattern = settings.wantsSiteValues()
                ? Optional.of(loop.evaluate(comm -> patternLogLikelihoods(comm, end.state())))
                : Optional.empty();
        long[] bytes = loop.evaluate(comm -> memory(comm, store));
        drill.summarizeRecoveries(loop);
        return new RunOutcome.Finished(drill.recoveries(), loop.communicator().size(), end.iterations(),
                end.converged(), end.state(), reference.state().logLikelihood(),
                settings.failures().after(end.iterations()), bytes[0], bytes[1], perPattern);
    }

    private End iterate(CheckpointLoop loop, int most, FailureSchedule failures, Progress listener) {
        boolean optimizing = settings.mode() == Mode.OPTIMIZE;
        ModelState state = work.start();
        for (int iteration = 1; iteration <= most; iteration++) {
            drill.enter(iteration);
            ModelState before = state;
            state = loop.evaluate(comm -> {
                communicator = comm;
                drill.injectFailures(comm, failures);
                return work.iterate(settings.mode(), before);
            });
            drill.summarizeRecoveries(loop);
            drill.noteValue(state.logLikelihood());
            if (loop.communicator().rank() == 0) {
                listener.iterationDone(iteration, state.logLikelihood());
            }
            if (optimizing && Optimizer.hasConverged(before, state)) {
                return new End(state, iteration, true);
            }
        }
        return new End(state, most, !optimizing);
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
