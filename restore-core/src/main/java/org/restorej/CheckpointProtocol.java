package org.restorej;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.CheckpointLoop.ConvergingStep;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Settlement;
import org.restorej.comm.Settlement.Outcome;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;

/**
 * What the PEs of a {@link CheckpointLoop} do together. They alternate between iterations, which are settled on the
 * loop's communicator, and submits, which are settled on those of the stores: so no PE is in a store while another one
 * has met a failure in an iteration. Whatever fails, all survivors go back to the same generation. One thread.
 */
final class CheckpointProtocol {
    private static final int GOES_ON = 2;
    private static final int STOPS = 4;

    private final LoopCommunicator communicator;
    private final CheckpointSchedule schedule;
    private final List<KeptData> kept = new ArrayList<>();
    private final List<LoopValue<?>> values = new ArrayList<>();
    private final GenerationWriter writer = new GenerationWriter();
    private final RecoveryObserver observer = new RecoveryObserver();
    private boolean incremental;
    private boolean background;
    /** Whether the first generation is committed. */
    private boolean begun;
    private boolean started;
    private boolean recovering;
    private boolean inIteration;
    private long iteration;
    /** Of the generation that is being submitted, or was submitted last. */
    private long submittedIteration;
    private long committedIteration;

    CheckpointProtocol(Communicator callers, CheckpointInterval interval) {
        communicator = new LoopCommunicator(callers);
        schedule = new CheckpointSchedule(interval);
    }

    void submitOnlyChanges() {
        incremental = true;
    }

    void submitInBackground() {
        background = communicator.current().allowsConcurrentUse();
    }

    RecoveryObserver observer() {
        return observer;
    }

    Communicator communicator() {
        return communicator.current();
    }

    long iteration() {
        return iteration;
    }

    boolean isInIteration() {
        return inIteration;
    }

    /** Whether anything has been done that a further store would have missed. */
    boolean hasStarted() {
        return started;
    }

    List<KeptData> kept() {
        return kept;
    }

    List<LoopValue<?>> values() {
        return values;
    }

    /** Does something until nobody dies in it; each time from the last generation on. */
    <T extends @Nullable Object> T untilNobodyDies(Supplier<T> attempt) {
        started = true;
        while (true) {
            if (recovering) {
                recover(System.nanoTime());
            }
            try {
                if (!begun) {
                    submitFirstGeneration();
                }
                return attempt.get();
            } catch (CommunicationFailedException failure) {
                recovering = true;
            } catch (Throwable own) {
                // The others recover because of it. Should the caller go on, this PE takes part.
                recovering = true;
                throw own;
            }
        }
    }

    private void submitFirstGeneration() {
        settled("the first generation", () -> {
            captureImages();
            return true;
        });
        submit(true);
        awaitGeneration();
        begun = true;
    }

    private <T extends @Nullable Object> T settled(String operation, Supplier<T> part) {
        return Settlement.settle(communicator.current(), operation, () -> {
            observer.throwFailure();
            return part.get();
        });
    }

    /** Does iterations and submits generations until there are as many, or the step stops; the last one is committed. */
    long advance(long until, ConvergingStep step) {
        boolean goesOn = true;
        while (goesOn && iteration < until) {
            goesOn = iterate(iteration + Math.min(until - iteration, schedule.iterations()), step);
            long began = System.nanoTime();
            submit(false);
            schedule.checkpointTook(System.nanoTime() - began);
        }
        awaitGeneration();
        return iteration;
    }

    <T extends @Nullable Object> T evaluate(Supplier<T> function) {
        return settled("evaluation", function);
    }

    /** Does iterations, and copies what they have come to as far as it has to be copied. */
    private boolean iterate(long end, ConvergingStep step) {
        Communicator current = communicator.current();
        long first = iteration;
        Outcome<Long> outcome = Settlement.settle(current, () -> {}, "iterations from " + first, () -> {
            observer.throwFailure();
            boolean goesOn = doSteps(current, end, step);
            awaitGeneration();
            values.forEach(LoopValue::capture);
            captureImages();
            return new Outcome<>(goesOn ? GOES_ON : STOPS, iteration);
        });
        if (!outcome.has(GOES_ON) && !outcome.has(STOPS)) {
            throw new IllegalStateException("an iteration must return the same on every PE, whether to go on: of the "
                    + "iterations from " + first + " on some PEs have stopped and others go on");
        }
        return outcome.has(GOES_ON);
    }

    private boolean doSteps(Communicator current, long end, ConvergingStep step) {
        long first = iteration;
        long began = System.nanoTime();
        boolean goesOn = true;
        inIteration = true;
        try {
            while (goesOn && iteration < end) {
                goesOn = step.run(current, iteration);
                iteration++;
            }
        } finally {
            inIteration = false;
        }
        schedule.choose(current, iteration - first, System.nanoTime() - began);
        return goesOn;
    }

    private void captureImages() {
        if (incremental || background) {
            kept.stream().filter(data -> data.changes() || !begun).forEach(KeptData::capture);
        }
    }

    /** Submits all stores together, the first time also those that don't change. */
    private void submit(boolean first) {
        submittedIteration = iteration;
        List<KeptData> data = kept.stream().filter(each -> first || each.changes()).toList();
        boolean onlyChanges = incremental && !first;
        writer.start(() -> submitTogether(data, onlyChanges), background);
        if (!background) {
            awaitGeneration();
        }
    }

    private static void submitTogether(List<KeptData> data, boolean onlyChanges) {
        if (data.size() == 1) {
            data.getFirst().submit(onlyChanges);
        } else if (!data.isEmpty()) {
            List<StagedSubmission> staged = new ArrayList<>();
            data.forEach(each -> staged.add(each.stage(onlyChanges)));
            StagedSubmission.commitTogether(staged);
        }
    }

    /** Waits for a submit, and notes that its generation is committed. */
    private void awaitGeneration() {
        if (writer.await()) {
            committedIteration = submittedIteration;
            values.forEach(LoopValue::commit);
            kept.stream().filter(data -> data.changes() || !begun).forEach(data -> data.committed(incremental));
        }
    }

    /** Ends what is under way in the stores, so that they can be closed. */
    void close() {
        endSubmit();
        kept.forEach(KeptData::dropImages);
    }

    private void endSubmit() {
        try {
            awaitGeneration();
        } catch (RuntimeException | Error failed) {
            // On every PE alive, which keep the generation before.
        }
    }

    private void recover(long noticedNanos) {
        endSubmit();
        BlockRanges had = blocks();
        FailedRanks before = failedRanks();
        while (true) {
            try {
                recoverOnce(new Recovery.Clock(noticedNanos), before, had);
                recovering = false;
                return;
            } catch (CommunicationFailedException again) {
                // Another one has died: begin again with those who are left.
                communicator.current().revoke();
            }
        }
    }

    private void recoverOnce(Recovery.Clock clock, FailedRanks before, BlockRanges had) {
        Communicator survivors = communicator.shrink();
        clock.lap(Recovery.Phase.SHRINK);
        kept.forEach(data -> data.store().recover(survivors));
        clock.lap(Recovery.Phase.RECOVER);
        handOutBlocks();
        clock.lap(Recovery.Phase.BALANCE);
        long readBytes = goBack(clock);
        clock.lap(Recovery.Phase.TAKE_OVER);
        kept.forEach(data -> data.store().replenish());
        clock.lap(Recovery.Phase.REPLENISH);
        observer.tell(new Recovery(failedRanks().minus(before), failedRanks(), survivors.size(),
                blocks().minus(had).blockCount(), readBytes, clock.laps()));
    }

    /** Nothing is lost by a commit before the blocks are there: each PE reads what it needs, whatever it had. */
    private void handOutBlocks() {
        Set<LoadBalancer> balancers = Collections.newSetFromMap(new IdentityHashMap<>());
        settled("handing out the blocks", () -> {
            for (KeptData data : kept) {
                if (balancers.add(data.balancer())) {
                    data.balancer().rebalance(data.store().failedRanks());
                }
            }
            return true;
        });
        balancers.forEach(LoadBalancer::commit);
    }

    private long goBack(Recovery.Clock clock) {
        try {
            return settled("going back to iteration " + committedIteration, () -> {
                long bytes = begun ? readGeneration(clock) : makeInitialBlocks();
                values.forEach(LoopValue::goBack);
                iteration = committedIteration;
                schedule.reset();
                return bytes;
            });
        } finally {
            kept.forEach(KeptData::releasePulled);
        }
    }

    private long makeInitialBlocks() {
        kept.forEach(KeptData::initialize);
        return 0;
    }

    private long readGeneration(Recovery.Clock clock) {
        kept.forEach(KeptData::pull);
        clock.lap(Recovery.Phase.PULL);
        long bytes = 0;
        for (KeptData data : kept) {
            bytes += data.takeOver(incremental);
        }
        return bytes;
    }

    /** The blocks of this PE, by the balancer of the first store. */
    BlockRanges blocks() {
        return kept.isEmpty() ? BlockRanges.EMPTY : kept.getFirst().mine();
    }

    /** Current rank of the process that has a rank of the first store. */
    int rankOf(StoreRank rank) {
        if (kept.isEmpty()) {
            throw new IllegalStateException("a loop that keeps no blocks has no PEs that work on them");
        }
        OriginalRank process = kept.getFirst().store().processOf(rank).orElseThrow();
        return communicator.current().ranks().currentRankOf(process.value());
    }

    private FailedRanks failedRanks() {
        return kept.isEmpty() ? FailedRanks.NONE : kept.getFirst().store().failedRanks();
    }
}
