package org.restorej.demo.phylo.run;

import java.util.Arrays;
import java.util.Optional;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.codec.Codecs;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.phylo.likelihood.ModelState;
import org.restorej.demo.phylo.likelihood.Optimizer;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.ToBeContinuedException;
import org.restorej.loop.LoopValue;
import org.restorej.redset.LoopFiles;

/**
 * One PE's part of a run; all PEs do theirs.
 *
 * <p>
 * Each PE writes its own share of the patterns, submits it, and works on a copy; or goes on from what an earlier run
 * has left in files. The PEs first compute the answer without failures, by the same code on the same shares, as
 * something to compare with: one iteration in mode evaluate, a whole optimisation otherwise; it is saved with the rest.
 * Then come the iterations of the loop, in which PEs fail.
 */
public final class PhyloRun {
    private static final CheckpointInterval EACH = CheckpointInterval.iterations(1);

    private final Analysis analysis;
    private final RunSettings settings;
    private final Optional<LoopFiles> files;
    private final Progress progress;
    private final FailureDrill drill;
    private final int pes;
    private Communicator communicator;

    /**
     * What the loop keeps.
     *
     * @param reference the limit of iterations, and the log-likelihood of the run without failures with it, once there
     *     is one
     */
    private record Kept(ReStore store, PatternWork work, LoopValue<double[]> state, LoopValue<Boolean> converged,
            LoopValue<double[]> reference) {}

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
        drill = new FailureDrill(progress, settings.kills(), settings.wantsValues());
        pes = world.size();
    }

    /** The survivors' communicator, as far as this PE knows; valid during and after {@link #run}. */
    public Communicator communicator() {
        return communicator;
    }

    /**
     * Does this PE's work, and returns what all survivors return. Called once, by all PEs; throws what the PE fails
     * with.
     */
    public RunOutcome run() {
        LoadBalancer balancer = LoadBalancer.equal(pes, analysis.blockCount());
        try (ReStore store = settings.redundancy().of(ReStore.builder(communicator).blocks(analysis.blockCount())
                .blockSizeBytes(analysis.layout().blockSizeBytes())).build();
                CheckpointLoop loop = new CheckpointLoop(communicator, balancer, EACH).onRecovery(drill::noteRecovery)
                        .describe(settings.mode() + "; " + analysis.description())) {
            files.ifPresent(folder -> loop.persist(folder, EACH));
            PatternWork work = loop.keep(new PatternWork(store, analysis, sums -> sums.allReduce(communicator)));
            Kept kept = new Kept(store, work, loop.value(Codecs.DOUBLES, work.start().numbers()),
                    loop.value(Codecs.BOOLEAN, false), loop.value(Codecs.DOUBLES, new double[2]));
            try {
                return iterations(loop, kept);
            } catch (IrrecoverableDataLossException loss) {
                drill.endAtLoss(loss);
                return new RunOutcome.PatternsLost(drill.trace(pes), drill.iteration(),
                        Arrays.stream(loss.failedRanks().values()).boxed().toList(), loop.communicator().size(),
                        loss.lostBlocks());
            } catch (ToBeContinuedException | IllegalStateException ended) {
                if (!(ended instanceof KnownToAll)) {
                    throw ended;
                }
                return new RunOutcome.Ended(drill.trace(pes), String.valueOf(ended.getMessage()),
                        ended instanceof ToBeContinuedException ? Mpi.EXIT_CODE_CONTINUED : 1);
            } finally {
                communicator = loop.communicator();
            }
        }
    }

    private RunOutcome iterations(CheckpointLoop loop, Kept kept) {
        // No iteration: the patterns are submitted, or come from files.
        loop.run(0, (comm, iteration) -> {});
        FailureSchedule failures = settings.failures().after(settings.restarted() ? (int) loop.iteration() + 1 : 0);
        double[] reference = kept.reference().get()[0] == settings.iterations()
                ? kept.reference().get()
                : new double[]{settings.iterations(), loop.evaluate(comm -> withoutFailures(comm, kept.work()))};
        boolean optimizing = settings.mode() == Mode.OPTIMIZE;
        drill.begin(loop);
        while (loop.iteration() < settings.iterations() && !kept.converged().get()) {
            int iteration = (int) loop.iteration() + 1;
            drill.enter(iteration);
            loop.run(iteration, (comm, done) -> {
                communicator = comm;
                drill.injectFailures(comm, failures);
                ModelState before = ModelState.of(kept.state().get());
                ModelState after = kept.work().iterate(settings.mode(), before);
                kept.state().set(after.numbers());
                kept.converged().set(optimizing && Optimizer.hasConverged(before, after));
                kept.reference().set(reference);
            });
            double logLikelihood = ModelState.of(kept.state().get()).logLikelihood();
            drill.summarizeRecoveries(loop);
            drill.noteValue(logLikelihood);
            if (loop.communicator().rank() == 0) {
                progress.iterationDone(iteration, logLikelihood);
            }
        }
        ModelState end = ModelState.of(kept.state().get());
        int iterations = (int) loop.iteration();
        Optional<double[]> perPattern = settings.wantsSiteValues()
                ? Optional.of(loop.evaluate(comm -> patternLogLikelihoods(comm, kept.work(), end)))
                : Optional.empty();
        long[] bytes = loop.evaluate(comm -> memory(comm, kept));
        drill.summarizeRecoveries(loop);
        return new RunOutcome.Finished(drill.trace(pes), loop.communicator().size(), iterations,
                !optimizing || kept.converged().get(), end, reference[1], settings.failures().after(iterations),
                bytes[0], bytes[1], perPattern);
    }

    /** Its log-likelihood. */
    private double withoutFailures(Communicator comm, PatternWork work) {
        communicator = comm;
        boolean optimizing = settings.mode() == Mode.OPTIMIZE;
        ModelState before = work.start();
        ModelState state = work.iterate(settings.mode(), before);
        for (int done = 1; optimizing && done < settings.iterations()
                && !Optimizer.hasConverged(before, state); done++) {
            before = state;
            state = work.iterate(settings.mode(), before);
        }
        return state.logLikelihood();
    }

    private double[] patternLogLikelihoods(Communicator comm, PatternWork work, ModelState state) {
        double[] all = new double[Math.toIntExact(analysis.blockCount())];
        work.logLikelihoods(state, all);
        comm.allReduce(all, Reduction.SUM);
        return all;
    }

    private static long[] memory(Communicator comm, Kept kept) {
        long[] bytes = {kept.store().replicaBytes(),
                kept.work().patternCount() * kept.store().blockSizeBytes()};
        comm.allReduce(bytes, Reduction.MAX);
        return bytes;
    }
}
