package org.restorej;

import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.CheckpointLoop.ConvergingStep;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.MessageArguments;
import org.restorej.comm.Settlement;
import org.restorej.comm.Settlement.Outcome;
import org.restorej.placement.FailedRanks;

/**
 * What the PEs of a {@link CheckpointLoop} do together. They alternate between iterations, which are settled on the
 * loop's communicator, and submits, which are settled on those of the stores: so no PE is in a store while another one
 * has met a failure in an iteration. Whatever fails, all survivors go back to the same generation. One thread.
 */
final class CheckpointProtocol {
    /** So often survivors recover in vain although nobody has died, before the cause must be the program. */
    private static final int MAX_RECOVERIES_WITHOUT_DEATH = 10;

    private final LoopCommunicator communicator;
    private final RepeatedExceptions exceptions;
    private final CheckpointSchedule schedule;
    private final CheckpointData data = new CheckpointData();
    private final GenerationWriter writer = new GenerationWriter();
    private final RecoveryObserver observer = new RecoveryObserver();
    /** Whether all PEs are known to keep as much. */
    private boolean keptByAll;
    /** Whether the first generation is committed. */
    private boolean firstCommitted;
    private boolean called;
    private boolean inCall;
    private boolean closed;
    private boolean recovering;
    private boolean inIteration;
    private int recoveriesWithoutDeath;
    private long iteration;
    /** Of the generation that is being submitted, or was submitted last. */
    private long submittedIteration;
    private long committedIteration;
    /** Up to where iterations were tried; exceptions are thrown in the same ones until these are committed. */
    private long triedIterations;

    CheckpointProtocol(Communicator callers, CheckpointInterval interval) {
        communicator = new LoopCommunicator(callers);
        exceptions = new RepeatedExceptions(communicator);
        schedule = new CheckpointSchedule(interval);
    }

    RepeatedExceptions exceptions() {
        return exceptions;
    }

    CheckpointData data() {
        return data;
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
    boolean wasCalled() {
        return called;
    }

    /** Does something until nobody dies in it; each time from the last generation on. */
    <T extends @Nullable Object> T untilNobodyDies(Supplier<T> attempt) {
        if (closed) {
            throw new IllegalStateException("the loop is closed");
        }
        if (inCall) {
            throw new IllegalStateException("what the loop calls, such as an iteration, must not call the loop");
        }
        exceptions.throwStop();
        called = true;
        inCall = true;
        try {
            while (true) {
                if (recovering) {
                    recover(System.nanoTime());
                }
                try {
                    return attempt(attempt);
                } catch (CommunicationFailedException failure) {
                    met(failure);
                    checkNotInVain(failure);
                } catch (Throwable own) {
                    met(own);
                    throw own;
                }
            }
        } finally {
            inCall = false;
            Settlement.leave("the loop");
        }
    }

    private <T extends @Nullable Object> T attempt(Supplier<T> attempt) {
        // Whatever is thrown, the others recover because of it, or throw as well. Should the caller go on, all go back.
        recovering = true;
        checkKept(communicator.current());
        if (!firstCommitted) {
            submitFirstGeneration();
        }
        T result = attempt.get();
        recovering = false;
        exceptions.progressed();
        return result;
    }

    private void met(Throwable thrown) {
        exceptions.met("what follows iteration " + committedIteration, thrown);
    }

    /** Counted alike on all survivors. */
    private void checkNotInVain(CommunicationFailedException failure) {
        if (recoveriesWithoutDeath > MAX_RECOVERIES_WITHOUT_DEATH) {
            recoveriesWithoutDeath = 0;
            throw new IllegalStateException("the same iterations have failed " + MAX_RECOVERIES_WITHOUT_DEATH
                    + " times although nobody has died: they must use the communicator that they are given", failure);
        }
    }

    /** For what one PE doesn't keep, the others would wait. */
    private void checkKept(Communicator current) {
        if (keptByAll) {
            return;
        }
        Settlement.expect(current);
        int agreed = Settlement.settle(current, () -> {}, "the first call of a loop",
                () -> new Outcome<>(IterationFlags.of(data.counts(), true), data)).flags();
        if (!IterationFlags.sameOnAllPes(agreed)) {
            recovering = false;
            throw new IllegalStateException("all PEs must keep the same: another PE keeps more or less than this one, "
                    + "perhaps because it was refused something");
        }
        keptByAll = true;
    }

    private void submitFirstGeneration() {
        Settlement.expect(communicator.current());
        Outcome<@Nullable Throwable> outcome = Settlement.settle(communicator.current(), () -> {},
                "the first generation", () -> prepared(0));
        submit(outcome);
        awaitGeneration();
        firstCommitted = true;
    }

    /**
     * Does iterations and submits generations until there are as many, or the step stops; the last one is committed.
     */
    long advance(long until, ConvergingStep step) {
        boolean goesOn = true;
        while (goesOn && iteration < until) {
            long end = iteration + Math.min(until - iteration, schedule.iterations());
            triedIterations = Math.max(triedIterations, end);
            Outcome<@Nullable Throwable> outcome = iterate(end, step);
            goesOn = outcome.has(IterationFlags.GOES_ON);
            submit(outcome);
        }
        awaitGeneration();
        return iteration;
    }

    <T extends @Nullable Object> T evaluate(LoopFunction<T> function) {
        Settlement.expect(communicator.current());
        return Settlement.settle(communicator.current(), "evaluation", () -> {
            observer.throwFailure();
            MessageArguments.checkGiven("function", function);
            return communicator.call(function);
        });
    }

    /** Does iterations, and prepares what they have come to; returns what that has thrown. */
    private Outcome<@Nullable Throwable> iterate(long end, ConvergingStep step) {
        Communicator current = communicator.current();
        Settlement.expect(current);
        long first = iteration;
        Outcome<@Nullable Throwable> outcome = Settlement.settle(current, () -> {}, "iterations from " + first, () -> {
            observer.throwFailure();
            MessageArguments.checkGiven("step", step);
            boolean goesOn = doSteps(current, end, step);
            return prepared(IterationFlags.of(iteration, goesOn));
        });
        if (!IterationFlags.sameOnAllPes(outcome.flags())) {
            throw new IllegalStateException("all PEs must do the same iterations: of those from " + first
                    + " on some PEs have done more than others");
        }
        return outcome;
    }

    private boolean doSteps(Communicator current, long end, ConvergingStep step) {
        long first = iteration;
        long began = System.nanoTime();
        boolean goesOn = true;
        inIteration = true;
        try {
            while (goesOn && iteration < end) {
                goesOn = communicator.call(comm -> step.run(comm, iteration));
                iteration++;
            }
        } finally {
            inIteration = false;
        }
        schedule.choose(current, iteration - first, System.nanoTime() - began);
        return goesOn;
    }

    /**
     * Prepares what is submitted. A failure of this PE alone becomes the result: all PEs throw because of it, instead
     * of handing on blocks that can't be submitted.
     */
    private Outcome<@Nullable Throwable> prepared(int flags) {
        long began = System.nanoTime();
        awaitGeneration();
        try {
            data.prepare(!firstCommitted);
            return new Outcome<>(flags | IterationFlags.PREPARED, null);
        } catch (CommunicationFailedException failure) {
            throw failure;
        } catch (RuntimeException | VirtualMachineError own) {
            return new Outcome<>(flags, own);
        } finally {
            schedule.checkpointTook(System.nanoTime() - began);
        }
    }

    /** Submits all stores together, the first time also those that don't change. */
    private void submit(Outcome<@Nullable Throwable> prepared) {
        if (!prepared.has(IterationFlags.PREPARED)) {
            throw unprepared(prepared.result());
        }
        data.expectSubmit();
        long began = System.nanoTime();
        boolean first = !firstCommitted;
        boolean background = data.isSubmittedInBackground() && communicator.current().allowsConcurrentUse();
        submittedIteration = iteration;
        writer.start(() -> data.submit(first), background);
        if (!background) {
            awaitGeneration();
        }
        schedule.checkpointTookMore(System.nanoTime() - began);
    }

    private RuntimeException unprepared(@Nullable Throwable own) {
        if (own instanceof Error || own instanceof InvalidSubmissionException) {
            throw Settlement.<RuntimeException>asItIs(own);
        }
        InvalidSubmissionException refused = new InvalidSubmissionException("the blocks of "
                + (own == null ? "another" : "this") + " PE can't be submitted after iteration " + iteration
                + (own == null ? "" : ": " + own));
        refused.initCause(own);
        return refused;
    }

    /** Waits for a submit, and notes that its generation is committed. */
    private void awaitGeneration() {
        if (writer.await()) {
            committedIteration = submittedIteration;
            recoveriesWithoutDeath = 0;
            if (committedIteration >= triedIterations) {
                exceptions.progressed();
            }
            data.committed();
        }
    }

    /** Ends what is under way in the stores, so that they can be closed. */
    void close() {
        closed = true;
        endSubmit();
        data.close();
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
                met(again);
                // Another one has died: begin again with those who are left.
                communicator.current().revoke();
            } catch (Throwable own) {
                met(own);
                throw own;
            }
        }
    }

    private void recoverOnce(Recovery.Clock clock, FailedRanks before, BlockRanges had) {
        int size = communicator.current().size();
        Communicator survivors = communicator.shrink();
        exceptions.shrunk(survivors);
        recoveriesWithoutDeath = survivors.size() < size ? 0 : recoveriesWithoutDeath + 1;
        clock.lap(Recovery.Phase.SHRINK);
        checkKept(survivors);
        data.recover(survivors);
        clock.lap(Recovery.Phase.RECOVER);
        // Each PE reads what it needs, whatever it has had: so assignments are in force before the blocks are there.
        Set<LoadBalancer> balancers = Settlement.settle(survivors, "handing out the blocks", data::proposeAssignments);
        Settlement.expect(survivors);
        if (firstCommitted) {
            data.expectPull();
        }
        balancers.forEach(LoadBalancer::commit);
        clock.lap(Recovery.Phase.BALANCE);
        long readBytes = goBack(survivors, clock);
        clock.lap(Recovery.Phase.TAKE_OVER);
        data.replenish();
        clock.lap(Recovery.Phase.REPLENISH);
        observer.tell(new Recovery(failedRanks().minus(before), failedRanks(), survivors.size(),
                blocks().minus(had).blockCount(), readBytes, clock.laps()));
    }

    private long goBack(Communicator survivors, Recovery.Clock clock) {
        try {
            if (firstCommitted) {
                data.pull();
                clock.lap(Recovery.Phase.PULL);
            }
            Settlement.expect(survivors);
            return Settlement.settle(survivors, "going back to iteration " + committedIteration, () -> {
                long bytes = 0;
                if (firstCommitted) {
                    bytes = data.takeOver();
                    data.releasePulled();
                } else {
                    data.goBackToTheBeginning();
                }
                iteration = committedIteration;
                schedule.reset();
                return bytes;
            });
        } finally {
            data.releasePulled();
        }
    }

    /** The blocks of this PE in the first store. */
    private BlockRanges blocks() {
        return data.any().map(KeptData::mine).orElse(BlockRanges.EMPTY);
    }

    private FailedRanks failedRanks() {
        return data.any().map(first -> first.store().failedRanks()).orElseGet(() -> FailedRanks.of(
                communicator.current().ranks().absentRanks().stream().mapToInt(OriginalRank::value).toArray()));
    }
}
