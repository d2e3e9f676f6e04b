package org.restorej.loop;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Outcome;

/**
 * The generations of a {@link CheckpointLoop}. Prepares and submits them, and counts the iterations: those done, those
 * of the last generation, and those until the next one. The same on all survivors. Not thread-safe.
 */
final class LoopGenerations {
    /** The first two votes are the times of an iteration and of a checkpoint. */
    private static final int TIMES = 2;

    private final LoopCommunicator communicator;
    private final CheckpointData data;
    private final CheckpointInterval interval;
    private final RepeatedExceptions exceptions;
    private final LoopLevels levels;
    /** The checkpoint that is prepared, or submitted and not known to be committed; null if there is none. */
    private @Nullable Checkpoint checkpoint;
    /** Number of generations that were committed. */
    private long commits;
    private long iteration;
    private long committedIteration;
    /**
     * Iterations up to this number have been tried. Exceptions count as thrown in the same iterations until these are
     * committed.
     */
    private long triedIterations;
    private long iterationsToNext;
    /** Seconds in which this PE could not compute because of the last generation. */
    private double checkpointSeconds;

    LoopGenerations(LoopCommunicator communicator, CheckpointData data, CheckpointInterval interval,
            RepeatedExceptions exceptions, LoopLevels levels) {
        this.communicator = communicator;
        this.data = data;
        this.interval = interval;
        this.exceptions = exceptions;
        this.levels = levels;
        iterationsToNext = interval.firstIterations();
    }

    long iteration() {
        return iteration;
    }

    void iterationDone() {
        iteration++;
    }

    /** Records that iterations up to this number are tried. */
    void trying(long end) {
        triedIterations = Math.max(triedIterations, end);
    }

    long committedIteration() {
        return committedIteration;
    }

    boolean isFirstCommitted() {
        return commits > 0;
    }

    long commits() {
        return commits;
    }

    /** Number of iterations between the last generation and the next one. */
    long iterationsToNext() {
        return iterationsToNext;
    }

    /**
     * Chooses the number of iterations until the next generation, from the times of the slowest PE, and what levels of
     * storage save. Collective, in an operation that is settled.
     *
     * @param done iterations since the last generation; 0 if only levels are saved again
     * @param nanos time of this PE for them
     */
    void chooseIterationsToNext(long done, long nanos) {
        if (interval.dependsOnTimes() || !levels.isEmpty()) {
            double[] votes = new double[TIMES + levels.votes()];
            votes[0] = nanos * 1e-9 / Math.max(1, done);
            votes[1] = checkpointSeconds;
            levels.vote(votes, TIMES, iteration, nanos * 1e-9);
            communicator.current().allReduce(votes, Reduction.MAX);
            if (done > 0) {
                iterationsToNext = interval.iterations(votes[0], votes[1], iterationsToNext);
            }
            levels.decide(votes, TIMES);
        }
    }

    /**
     * Rolls back to the last generation. The interval restarts with its first value, because PEs may have chosen
     * different numbers when a failure kept some from choosing.
     */
    void goBack() {
        iteration = committedIteration;
        iterationsToNext = interval.firstIterations();
    }

    /** Sets the iteration that an earlier job has saved. */
    void resumeAt(long saved) {
        iteration = saved;
        committedIteration = saved;
    }

    /** Submits the initial data. Collective. */
    void submitFirst() {
        submit(communicator.meet().settle(() -> {}, "the first generation", () -> prepared(0)));
        await();
    }

    /**
     * Prepares the next generation. An exception of this PE becomes the outcome, so that all PEs throw instead of
     * submitting blocks that are incomplete.
     */
    Outcome<@Nullable Throwable> prepared(int flags) {
        long began = System.nanoTime();
        await();
        try {
            giveUp();
            Checkpoint next = new Checkpoint(data, iteration);
            checkpoint = next;
            data.prepare(next, !isFirstCommitted(), isInBackground());
            return new Outcome<>(flags | IterationFlags.PREPARED, null);
        } catch (CommunicationFailedException failure) {
            throw failure;
        } catch (RuntimeException | VirtualMachineError own) {
            return new Outcome<>(flags, own);
        } finally {
            checkpointSeconds = (System.nanoTime() - began) * 1e-9;
        }
    }

    /** Submits what all PEs have prepared, to all stores together. Collective. */
    void submit(Outcome<@Nullable Throwable> prepared) {
        if (!prepared.has(IterationFlags.PREPARED)) {
            throw unprepared(prepared.result());
        }
        long began = System.nanoTime();
        data.awaitReplicas();
        prepared().submit(isInBackground());
        if (!prepared().isUnderWay()) {
            await();
        }
        checkpointSeconds += (System.nanoTime() - began) * 1e-9;
    }

    /** Whether iterations go on during the next submit. The first generation is committed before any. */
    private boolean isInBackground() {
        return isFirstCommitted() && data.isSubmittedInBackground();
    }

    /** The checkpoint that was prepared last. */
    Checkpoint prepared() {
        return Objects.requireNonNull(checkpoint, "checkpoint");
    }

    private RuntimeException unprepared(@Nullable Throwable own) {
        if (own instanceof Error || own instanceof InvalidSubmissionException) {
            throw Settlement.<RuntimeException>sneakyThrow(own);
        }
        InvalidSubmissionException refused = new InvalidSubmissionException("the blocks of "
                + (own == null ? "another" : "this") + " PE can't be submitted after iteration " + iteration
                + (own == null ? "" : ": " + own));
        refused.initCause(own);
        return refused;
    }

    /** Waits for a submit, and records that its generation is committed. */
    void await() {
        Checkpoint submitted = checkpoint;
        if (submitted != null && submitted.isSubmitted()) {
            submitted.await();
            checkpoint = null;
            committedIteration = submitted.iteration();
            commits++;
            submitted.committed();
            if (committedIteration >= triedIterations) {
                exceptions.progressed();
            }
        }
    }

    /** Frees a checkpoint that was not committed. */
    void giveUp() {
        Checkpoint vain = checkpoint;
        checkpoint = null;
        if (vain != null) {
            vain.free();
        }
    }

    /** Ends operations in the background, whatever their outcome, which is the same on all survivors. */
    void end() {
        endSubmit();
        end(data::awaitReplicas);
    }

    /**
     * Ends a submit in the background, whatever its outcome.
     *
     * @return the exception that it threw; null if it was committed, or if none was under way
     */
    @Nullable
    Throwable endSubmit() {
        return end(this::await);
    }

    private static @Nullable Throwable end(Runnable underWay) {
        try {
            underWay.run();
            return null;
        } catch (RuntimeException | Error failed) {
            return failed;
        }
    }
}
