package org.restorej.loop;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.message.Completely;
import org.restorej.internal.message.MessageArguments;
import org.restorej.loop.CheckpointLoop.ConvergingStep;
import org.restorej.loop.LoopRestart.AnotherProgramException;
import org.restorej.loop.LoopStorage.Saved;

/**
 * The collective protocol of a {@link CheckpointLoop}. Iterations are settled on the loop's communicator, and submits
 * on those of the stores. The two alternate, so no PE is in a call of a store while another PE handles a failure in an
 * iteration. After any failure all survivors roll back to the same generation. Not thread-safe.
 */
final class CheckpointProtocol {
    private final LoadBalancer balancer;
    private final LoopCommunicator communicator;
    private final RepeatedExceptions exceptions;
    private final CheckpointData data = new CheckpointData();
    private final LoopLevels levels;
    private final LoopGenerations generations;
    private final LoopRecovery recovery;
    private final Adoption adoption = new Adoption();
    /** Whether all PEs are known to keep the same numbers of stores and values. */
    private boolean keptByAll;
    private boolean called;
    private boolean inCall;
    private boolean closed;
    private boolean recovering;
    private boolean complete;
    /** Iteration after which a step has returned false in this call; negative before. */
    private long stoppedAt = -1;
    /** Iteration after which a step had returned false in an earlier job; negative if none, and after the first run. */
    private long convergedAt = -1;
    private boolean inIteration;
    private Consumer<BlockRanges> blocksObserver = blocks -> {};
    /** The blocks that were last reported to the application; null before the first report. */
    private @Nullable BlockRanges told;

    CheckpointProtocol(Communicator callers, LoadBalancer balancer, CheckpointInterval interval) {
        this.balancer = balancer;
        communicator = new LoopCommunicator(callers);
        exceptions = new RepeatedExceptions(communicator);
        levels = new LoopLevels(communicator, data);
        generations = new LoopGenerations(communicator, data, interval, exceptions, levels);
        recovery = new LoopRecovery(communicator, data, generations, exceptions);
    }

    LoopLevels levels() {
        return levels;
    }

    /** Whether the last run has done all its iterations. */
    boolean isComplete() {
        return complete;
    }

    RepeatedExceptions exceptions() {
        return exceptions;
    }

    CheckpointData data() {
        return data;
    }

    /** Keeps the blocks of another store. Its collective calls use the loop's meeting when the loop expects them. */
    void keep(LoopData added, LoadBalancer blockBalancer) {
        data.add(added, blockBalancer, levels.restart().isResuming());
        StoreAccess.keep(added.store(), communicator.meeting());
    }

    void onRecovery(Consumer<Recovery> consumer) {
        recovery.onRecovery(consumer);
    }

    Communicator communicator() {
        return communicator.current();
    }

    long iteration() {
        return generations.iteration();
    }

    void onBlocksChanged(Consumer<BlockRanges> consumer) {
        blocksObserver = consumer;
        told = null;
    }

    BlockRanges blocks() {
        return data.of(balancer).map(LoopData::mine).orElse(BlockRanges.EMPTY);
    }

    /** Reports this PE's blocks to the application if they have changed. */
    private void tellBlocks() {
        BlockRanges mine = blocks();
        if (told == null || !mine.equals(told)) {
            blocksObserver.accept(mine);
            told = mine;
        }
    }

    boolean isInIteration() {
        return inIteration;
    }

    /** Whether the loop was called, so that no further store can be kept. */
    boolean wasCalled() {
        return called;
    }

    /** Repeats an attempt until no PE fails in it, each time from the last generation. */
    <T extends @Nullable Object> T retryAfterFailures(Supplier<T> attempt) {
        if (closed) {
            throw new IllegalStateException("the loop is closed");
        }
        if (inCall) {
            throw new IllegalStateException("what the loop calls, such as an iteration, must not call the loop");
        }
        exceptions.throwStop();
        levels.throwEnd();
        called = true;
        inCall = true;
        stoppedAt = -1;
        try (var _ = communicator.meeting()) {
            while (true) {
                if (recovering) {
                    recovery.recover(System.nanoTime(), this::checkKept);
                    levels.failed();
                    recovering = false;
                }
                try {
                    return attempt(attempt);
                } catch (CommunicationFailedException failure) {
                    recovery.met(failure);
                    recovery.checkNotInVain(failure);
                } catch (Throwable own) {
                    recovery.met(own);
                    // The other PEs wait for this PE's part of what is under way in the background.
                    generations.end();
                    if (own instanceof InvalidSubmissionException || own instanceof AnotherProgramException) {
                        exceptions.refused(iteration(), own);
                    }
                    throw own;
                }
            }
        } catch (IrrecoverableDataLossException loss) {
            throw levels.canContinue() ? levels.lost(loss) : loss;
        } finally {
            inCall = false;
        }
    }

    private <T extends @Nullable Object> T attempt(Supplier<T> attempt) {
        // After any exception the other PEs recover or throw too. If the caller continues, all PEs roll back.
        recovering = true;
        checkKept();
        if (!generations.isFirstCommitted()) {
            if (levels.restart().isResuming()) {
                Optional<Saved> saved = levels.restart().restore();
                data.restore(saved);
                convergedAt = saved.filter(Saved::converged).map(Saved::iteration).orElse(-1L);
                generations.resumeAt(saved.map(Saved::iteration).orElse(0L));
            }
            if (data.isAnySubmitted()) {
                recovery.readFirst();
            }
            generations.submitFirst();
        }
        T result = attempt.get();
        data.awaitReplicas();
        recovering = false;
        exceptions.progressed();
        return result;
    }

    /** Checks that all PEs keep the same; otherwise some would wait in stores that others don't keep. */
    private void checkKept() {
        if (keptByAll) {
            return;
        }
        int agreed = communicator.meet().settle(() -> {}, "the first call of a loop",
                () -> new Outcome<>(IterationFlags.of(data.counts(), true), data)).flags();
        if (!IterationFlags.sameOnAllPes(agreed)) {
            recovering = false;
            throw new IllegalStateException("all PEs must keep the same: another PE keeps more or less than this one, "
                    + "perhaps because it was refused something");
        }
        keptByAll = true;
    }

    /** See {@link CheckpointLoop#runWhile}. */
    long run(long until, ConvergingStep step) {
        complete = false;
        return retryAfterFailures(() -> advance(until, step));
    }

    /**
     * Runs iterations and submits generations until {@code until} iterations are done or the step stops. The last
     * generation is committed before it returns.
     */
    private long advance(long until, ConvergingStep step) {
        boolean goesOn = iteration() != stoppedAt && iteration() != convergedAt;
        while (true) {
            boolean iterates = goesOn && iteration() < until;
            if (iterates) {
                // All PEs may have decided to end the job, in the last iterations or in an earlier run.
                levels.endIfDecided();
            } else if (!levels.isCutOff()) {
                break;
            }
            long end = iteration() + (iterates ? Math.min(until - iteration(), generations.iterationsToNext()) : 0);
            generations.trying(end);
            Outcome<@Nullable Throwable> outcome = iterate(end, step);
            goesOn &= outcome.has(IterationFlags.GOES_ON);
            stoppedAt = goesOn ? -1 : iteration();
            if (outcome.has(IterationFlags.PREPARED)) {
                levels.write(generations.prepared(), !goesOn);
            }
            generations.submit(outcome);
            levels.complete(false);
        }
        generations.await();
        levels.complete(true);
        convergedAt = -1;
        complete = true;
        return iteration();
    }

    <T extends @Nullable Object> T evaluate(CheckpointLoop.Evaluation<T> function) {
        return communicator.meet().settle("evaluation",
                () -> RepeatedExceptions.reported(this::iteration, () -> {
                    MessageArguments.checkGiven("function", function);
                    tellBlocks();
                    return communicator.call(function);
                }));
    }

    /** Reassigns the blocks without a failure. If a PE fails meanwhile, the recovery reassigns them instead. */
    void adopt(Supplier<Assignment> proposal) {
        adoption.proposal = proposal;
        adoption.isDue = !recovering;
        retryAfterFailures(adoption);
    }

    /** Allocated in advance, because nothing may be allocated before a collective call. */
    private final class Adoption implements Supplier<Object> {
        private @Nullable Supplier<Assignment> proposal;
        private boolean isDue;

        @Override
        public Object get() {
            if (isDue) {
                isDue = false;
                recovery.adopt(balancer, proposal);
            }
            return this;
        }
    }

    /** Runs iterations and prepares the next generation. The outcome has the exception of the preparation, if any. */
    private Outcome<@Nullable Throwable> iterate(long end, ConvergingStep step) {
        Communicator current = communicator.current();
        Meeting meeting = communicator.meet();
        long first = iteration();
        Outcome<@Nullable Throwable> outcome = meeting.settle(() -> {}, "iterations from " + first, () -> {
            try {
                MessageArguments.checkGiven("step", step);
                tellBlocks();
                boolean goesOn = doSteps(end, step);
                return generations.prepared(IterationFlags.of(iteration(), goesOn));
            } catch (Throwable met) {
                RepeatedExceptions.report(iteration(), met);
                // Other PEs may wait for this PE, either in a call of their iteration, which the revocation ends, or in
                // the commit of a submit in the background.
                current.revoke(met);
                Throwable ended = generations.endSubmit();
                if (ended != null && isFailure(met) && !isFailure(ended)) {
                    // PEs that have reached the end of their iterations throw this exception, and don't recover.
                    throw Settlement.<RuntimeException>sneakyThrow(ended);
                }
                throw met;
            }
        });
        if (!IterationFlags.sameOnAllPes(outcome.flags())) {
            throw new IllegalStateException("all PEs must do the same iterations: of those from " + first
                    + " on some PEs have done more than others");
        }
        return outcome;
    }

    private static boolean isFailure(Throwable met) {
        return met instanceof CommunicationFailedException;
    }

    private boolean doSteps(long end, ConvergingStep step) {
        long first = iteration();
        long began = System.nanoTime();
        boolean goesOn = true;
        inIteration = true;
        try {
            while (goesOn && iteration() < end) {
                goesOn = communicator.call(comm -> step.run(comm, iteration()));
                generations.iterationDone();
            }
        } finally {
            inIteration = false;
        }
        generations.chooseIterationsToNext(iteration() - first, System.nanoTime() - began);
        return goesOn;
    }

    /** Ends the stores' operations in the background, so that the stores can be closed. */
    void close() {
        closed = true;
        Completely.forEach(List.<Runnable>of(generations::end, levels::close, generations::giveUp), Runnable::run);
    }
}
