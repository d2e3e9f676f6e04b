package org.restorej.loop;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Outcome;

/**
 * The generations of a {@link CheckpointLoop}: prepares and submits them, and knows how many iterations are done, of
 * how many the last generation is, and how many are to follow until the next one. The same on all survivors. One
 * thread.
 */
final class LoopGenerations {
    /** The first votes are the times of an iteration and of a checkpoint. */
    private static final int TIMES = 2;

    private final LoopCommunicator communicator;
    private final CheckpointData data;
    private final CheckpointInterval interval;
    private final RepeatedExceptions exceptions;
    private final LoopLevels levels;
    /** The one that is prepared, or submitted and not known to be committed; null where there is none. */
    private @Nullable Checkpoint checkpoint;
    /** Whether the first generation is committed. */
    private boolean firstCommitted;
    private long commits;
    private long iteration;
    private long committedIteration;
    /** Up to where iterations were tried; exceptions are thrown in the same ones until these are committed. */
    private long triedIterations;
    private long iterationsToNext;
    /** How long this PE could not compute because of the last generation. */
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

    /** Iterations up to this number are tried. */
    void trying(long end) {
        triedIterations = Math.max(triedIterations, end);
    }

    long committedIteration() {
        return committedIteration;
    }

    boolean isFirstCommitted() {
        return firstCommitted;
    }

    long commits() {
        return commits;
    }

    /** Number of iterations to the next generation, from the one before. */
    long iterationsToNext() {
        return iterationsToNext;
    }

    /**
     * Chooses how many iterations follow until the next generation, from the times of the slowest PE, and what is saved
     * in levels of storage. Collective, in an operation that is settled.
     *
     * @param done iterations done since the last generation; 0 where only levels are saved again
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
     * The iterations after the last generation don't count. Those to the next one are as many as at first: PEs may have
     * chosen different numbers when a failure kept some from choosing.
     */
    void goBack() {
        iteration = committedIteration;
        iterationsToNext = interval.firstIterations();
    }

    /** Begins where an earlier job has saved. */
    void resumeAt(long saved) {
        iteration = saved;
        committedIteration = saved;
    }

    /** Submits what is there before the first iteration. Collective. */
    void submitFirst() {
        submit(communicator.meet().settle(() -> {}, "the first generation", () -> prepared(0)));
        await();
        firstCommitted = true;
    }

    /**
     * Prepares what is submitted. A failure of this PE alone becomes the result: all PEs throw because of it, instead
     * of handing on blocks that can't be submitted.
     */
    Outcome<@Nullable Throwable> prepared(int flags) {
        long began = System.nanoTime();
        await();
        try {
            giveUp();
            Checkpoint next = new Checkpoint(data, iteration, data.submitsOnlyChanges() && firstCommitted);
            checkpoint = next;
            data.prepare(next, !firstCommitted);
            return new Outcome<>(flags | IterationFlags.PREPARED, null);
        } catch (CommunicationFailedException failure) {
            throw failure;
        } catch (RuntimeException | VirtualMachineError own) {
            return new Outcome<>(flags, own);
        } finally {
            checkpointSeconds = (System.nanoTime() - began) * 1e-9;
        }
    }

    /** Submits what all PEs have prepared, all stores together. Collective. */
    void submit(Outcome<@Nullable Throwable> prepared) {
        if (!prepared.has(IterationFlags.PREPARED)) {
            throw unprepared(prepared.result());
        }
        long began = System.nanoTime();
        data.awaitReplicas();
        prepared().submit(data.isSubmittedInBackground());
        if (!prepared().isUnderWay()) {
            await();
        }
        checkpointSeconds += (System.nanoTime() - began) * 1e-9;
    }

    /** What was prepared last. */
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

    /** Waits for a submit, and notes that its generation is committed. */
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

    /** Frees what was prepared, or submitted, in vain. */
    void giveUp() {
        Checkpoint vain = checkpoint;
        checkpoint = null;
        if (vain != null) {
            vain.giveUp();
        }
    }

    /** Ends what goes on in the background, however it ends: on every PE alive, which keep what they had before. */
    void end() {
        endSubmit();
        end(data::awaitReplicas);
    }

    /**
     * Ends a submit that goes on in the background, likewise.
     *
     * @return what it has thrown; null when it is committed, or none was under way
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
