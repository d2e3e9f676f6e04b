package org.restorej.loop;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.message.MessageArguments;
import org.restorej.loop.CheckpointLoop.ConvergingStep;
import org.restorej.loop.LoopStorage.Saved;

/**
 * What the PEs of a {@link CheckpointLoop} do together. They alternate between iterations, which are settled on the
 * loop's communicator, and submits, which are settled on those of the stores: so no PE is in a store while another one
 * has met a failure in an iteration. Whatever fails, all survivors go back to the same generation. One thread.
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
    /** Whether all PEs are known to keep as much. */
    private boolean keptByAll;
    private boolean called;
    private boolean inCall;
    private boolean closed;
    private boolean recovering;
    private boolean complete;
    /** Where a step has said in this call that it was the last one; negative before. */
    private long stoppedAt = -1;
    private boolean inIteration;
    private Consumer<BlockRanges> blocksObserver = blocks -> {};
    /** The blocks of this PE that the application was given last; null before the first time. */
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

    /** Whether the last run has come to its end. */
    boolean isComplete() {
        return complete;
    }

    RepeatedExceptions exceptions() {
        return exceptions;
    }

    CheckpointData data() {
        return data;
    }

    /** Keeps blocks of a further store, whose calls come to the loop's meeting when the loop expects them. */
    void keep(KeptData added) {
        data.add(added, levels.isResuming());
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

    /** The blocks that this PE works on, by the loop's balancer. */
    BlockRanges blocks() {
        return data.of(balancer).map(KeptData::mine).orElse(BlockRanges.EMPTY);
    }

    /** Reports its blocks to the application, where they are others than it was given last. */
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

    /** Whether anything has been done that a further store would have missed. */
    boolean wasCalled() {
        return called;
    }

    /** Does something until no PE fails in it; each time from the last generation on. */
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
                    // The others wait for this PE's part of what goes on in the background.
                    generations.end();
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
        // Whatever is thrown, the others recover because of it, or throw as well. Should the caller go on, all go back.
        recovering = true;
        checkKept();
        if (!generations.isFirstCommitted()) {
            if (levels.isResuming()) {
                Optional<Saved> saved = levels.restore();
                data.restore(saved);
                generations.resumeAt(saved.map(Saved::iteration).orElse(0L));
            }
            if (data.isUnread()) {
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

    /** For what one PE doesn't keep, the others would wait. */
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

    /**
     * Does iterations and submits generations until there are as many, or the step stops; the last one is committed.
     */
    long advance(long until, ConvergingStep step) {
        complete = false;
        boolean goesOn = iteration() != stoppedAt;
        while (true) {
            boolean iterates = goesOn && iteration() < until;
            if (iterates) {
                // Decided in these iterations, or in those of a run before.
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
                levels.write(generations.prepared());
            }
            generations.submit(outcome);
            levels.complete(false);
        }
        generations.await();
        levels.complete(true);
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

    /** Assigns the blocks again without a failure, unless there is one meanwhile: then that hands them out. */
    void adopt(Supplier<Assignment> proposal) {
        adoption.proposal = proposal;
        adoption.isDue = !recovering;
        retryAfterFailures(adoption);
    }

    /** Made beforehand: what comes before a collective call takes no memory. */
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

    /** Does iterations, and prepares what they have come to; returns what that has thrown. */
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
                // Others may wait for this PE in a call of their iteration, which a revocation ends, or in their part,
                // for it to commit with them what goes on in the background.
                current.revoke(met);
                Throwable ended = generations.endSubmit();
                if (ended != null && isFailure(met) && !isFailure(ended)) {
                    // Whoever has come to the end of its iterations throws that, and isn't at a recovery.
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

    /** Ends what is under way in the stores, so that they can be closed. */
    void close() {
        closed = true;
        generations.end();
        levels.close();
        generations.giveUp();
        data.close();
    }
}
