package org.restorej;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;

/**
 * A submit under way while the application computes.
 *
 * <p>
 * What is submitted must not change before it is done. Its outcome is the store's when {@link #await}, or whatever else
 * is next called of the store, returns: then all PEs alive have the new generation, or all get the failure and still
 * have the old one. Used by the thread that uses the store, but for {@link #isDone} and {@link #submittedBytes}.
 */
public final class PendingSubmit {
    private final StoreWriter writer;
    private final SubmitOperation operation;
    private final Submission submission;
    private final StoreMonitor.Observation observation;
    private final boolean background;
    private final Thread thread = Thread.ofPlatform().daemon().name("restore-submit").unstarted(this::run);
    private volatile @Nullable StagedGeneration staged;
    private volatile @Nullable Throwable failure;
    private long generation;

    /**
     * A submit that has not begun.
     *
     * @param observation has begun
     * @param background whether to run it in a thread of its own
     */
    PendingSubmit(StoreWriter writer, SubmitOperation operation, Submission submission,
            StoreMonitor.Observation observation, boolean background) {
        this.writer = writer;
        this.operation = operation;
        this.submission = submission;
        this.observation = observation;
        this.background = background;
    }

    void start() {
        if (background) {
            try {
                writer.state().calls().goesOnIn(thread);
                thread.start();
                return;
            } catch (OutOfMemoryError _) {
                // No more threads: then it is done here and now, as the others rely on.
            }
        }
        run();
    }

    private void run() {
        StagedGeneration received = null;
        Throwable met = null;
        try {
            received = operation.run(submission);
        } catch (Throwable thrown) {
            met = thrown;
        }
        observation.end();
        // Last: whoever sees it done sees everything else.
        staged = received;
        failure = met;
    }

    /** Whether {@link #await} would return at once; any thread. */
    public boolean isDone() {
        return staged != null || failure != null;
    }

    /** Whether it runs in a thread of its own, which takes a communicator that several threads may use at once. */
    public boolean runsInBackground() {
        return background;
    }

    /** Bytes of this PE's blocks that have reached all their holders; any thread. */
    public long submittedBytes() {
        return operation.submittedBytes();
    }

    /** Bytes of all blocks that this PE submits. */
    public long totalBytes() {
        return operation.bytesOf(submission);
    }

    /**
     * Waits until it is done. Collective, as {@link ReStore#submit(Submission)} is, and throws what that throws.
     *
     * @return number of the new generation
     */
    public long await() {
        try (var _ = writer.state().calls().begin("await")) {
            return outcome();
        }
    }

    /** As {@link #await}, from inside a call of the store. */
    long outcome() {
        writer.finish(this);
        Throwable met = failure;
        if (met != null) {
            throw Settlement.<RuntimeException>asItIs(met);
        }
        return generation;
    }

    /** Waits for the thread; returns what it has staged, or null after a failure. */
    @Nullable
    StagedGeneration join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                // The others rely on this PE's part; the caller is told afterwards.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return staged;
    }

    StoreMonitor.Observation observation() {
        return observation;
    }

    /** What it threw, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    void committedAs(long number) {
        generation = number;
    }
}
