package org.restorej.internal.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;

/**
 * A submit that goes on, in steps, while the application computes. {@link Submissions#end} takes over what it has
 * staged. Used by the thread that has begun it, but for what is marked.
 */
public final class BackgroundSubmit {
    /** What the calling thread has begun: whoever waits for one of them goes on with all, as MPI does. */
    private static final ThreadLocal<List<BackgroundSubmit>> UNDER_WAY = ThreadLocal.withInitial(ArrayList::new);

    private final Submissions submissions;
    private final SubmitOperation operation;
    private final StoreMonitor.Observation observation;
    private final Thread owner = Thread.currentThread();
    private volatile boolean done;
    private volatile @Nullable Throwable failure;
    private long generation;

    /**
     * A submit that has not begun.
     *
     * @param observation has begun
     */
    BackgroundSubmit(Submissions submissions, SubmitOperation operation, StoreMonitor.Observation observation) {
        this.submissions = submissions;
        this.operation = operation;
        this.observation = observation;
        UNDER_WAY.get().add(this);
    }

    /** Begins it; what the others wait for in the call around this is its settlement. */
    void start() {
        goOn(operation::progress);
    }

    /** Does what can be done now; says whether waiting for it would return at once. */
    private boolean progress() {
        return goOn(() -> Settlement.aside(operation.name, operation::progress));
    }

    private boolean goOn(BooleanSupplier step) {
        if (!done) {
            try {
                if (!step.getAsBoolean()) {
                    return false;
                }
            } catch (Throwable thrown) {
                failure = thrown;
            }
            observation.end();
            UNDER_WAY.get().remove(this);
            // Last: whoever sees it done sees everything else.
            done = true;
        }
        return true;
    }

    /** Does what can be done now, when the calling thread is the one to do it and is in no call of the store. */
    public void progressBetweenCalls() {
        if (!done && Thread.currentThread().equals(owner)) {
            operation.state.calls().tryRun("submitAsync", this::progress);
        }
    }

    /** Goes on with everything, this submit in any case; says whether waiting for it would return at once. */
    private boolean progressWithAll() {
        boolean over = progress();
        if (!over) {
            // A step may end others.
            for (BackgroundSubmit other : List.copyOf(UNDER_WAY.get())) {
                other.progressBetweenCalls();
            }
        }
        return over;
    }

    /** Whether waiting for it would return at once; any thread. */
    public boolean isDone() {
        return done;
    }

    /** What it has thrown, when it is done; any thread. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
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

    /** Waits until the submit has ended, without taking over what it has brought, or until an interrupt. */
    public void awaitEnd() throws InterruptedException {
        boolean ended = false;
        while (!ended) {
            ended = awaitEnd(System.nanoTime() + Long.MAX_VALUE / 2);
        }
    }

    /**
     * As {@link #awaitEnd()}, but no longer than until a point in time.
     *
     * @param deadlineNanos as of {@link System#nanoTime}
     * @return whether it has ended
     */
    public boolean awaitEnd(long deadlineNanos) throws InterruptedException {
        while (!progressWithAll()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("while waiting for a submit, which goes on");
            }
            if (System.nanoTime() - deadlineNanos >= 0) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Waits until it has ended, makes what was staged the generation that is read, and notes how the store is then. */
    void publish(StoreState state) {
        while (!progressWithAll()) {
            Thread.onSpinWait();
        }
        if (failure == null) {
            operation.publish(operation.result());
            generation = state.generationNumber();
        }
        observation.note(state, failure);
    }
}
