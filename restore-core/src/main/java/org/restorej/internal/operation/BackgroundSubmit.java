package org.restorej.internal.operation;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;

/**
 * A submit in a thread of its own, or, where only one thread may communicate, in the caller's. {@link Submissions#end}
 * takes over what it has staged. Used by the thread that uses the store, but for {@link #isDone} and
 * {@link #submittedBytes}.
 */
public final class BackgroundSubmit {
    private final Submissions submissions;
    private final SubmitOperation operation;
    private final StoreMonitor.Observation observation;
    private final boolean background;
    private final Thread thread = Thread.ofPlatform().daemon().name("restore-submit").unstarted(this::run);
    private volatile @Nullable Staging staged;
    private volatile @Nullable Throwable failure;
    private long generation;

    /**
     * A submit that has not begun.
     *
     * @param observation has begun
     * @param background whether to run it in a thread of its own
     */
    BackgroundSubmit(Submissions submissions, SubmitOperation operation, StoreMonitor.Observation observation,
            boolean background) {
        this.submissions = submissions;
        this.operation = operation;
        this.observation = observation;
        this.background = background;
    }

    void start(StoreCalls calls) {
        if (background) {
            try {
                calls.goesOnIn(thread);
                thread.start();
                Settlement.expectNothing();
                return;
            } catch (OutOfMemoryError _) {
                // No more threads: then it is done here and now, as the others rely on.
            }
        }
        run();
    }

    private void run() {
        Staging received = null;
        Throwable met = null;
        operation.state.expect();
        try {
            received = operation.settled();
        } catch (Throwable thrown) {
            met = thrown;
        } finally {
            Settlement.leave(operation.name);
        }
        observation.end();
        // Last: whoever sees it done sees everything else.
        staged = received;
        failure = met;
    }

    /** Whether waiting for it would return at once; any thread. */
    public boolean isDone() {
        return staged != null || failure != null;
    }

    /** What it has thrown, when it is done; any thread. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    public boolean runsInBackground() {
        return background;
    }

    /** Bytes of this PE's blocks that have reached all their holders; any thread. */
    public long submittedBytes() {
        return operation.submittedBytes();
    }

    /** Bytes of all blocks that this PE submits. */
    public long totalBytes() {
        return operation.totalBytes();
    }

    /**
     * Waits until it is done, and throws what it threw.
     *
     * @return number of the new generation
     */
    public long outcome() {
        submissions.end(this);
        Throwable met = failure;
        if (met != null) {
            throw Settlement.<RuntimeException>asItIs(met);
        }
        return generation;
    }

    /**
     * Waits until the submit has ended, without taking over what it has brought, or until the thread is interrupted.
     */
    public void awaitEnd() throws InterruptedException {
        if (!isDone()) {
            thread.join();
        }
    }

    /** As {@link #awaitEnd()}, for some time; returns whether it has ended. */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return isDone() || thread.join(atMost) || isDone();
    }

    /** Waits for the thread; returns what it has staged, or null after a failure. */
    private @Nullable Staging join() {
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

    /** Makes what was staged the generation that is read, and notes how the store is then. */
    void publish(StoreState state) {
        Staging received = join();
        state.calls().backgroundEnded();
        if (received != null) {
            operation.publish(received);
            generation = state.generationNumber();
        }
        observation.note(state, failure);
    }
}
