package org.restorej.internal.operation;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;
import org.restorej.comm.Settlement.Thrower;
import org.restorej.internal.program.Background;

/**
 * A submit that goes on, in steps, while the application computes. {@link Submissions#end} takes over what it has
 * staged. Used by the thread that has begun it, but for what is marked.
 */
public final class BackgroundSubmit {
    private final Submissions submissions;
    private final SubmitOperation operation;
    private final StoreMonitor.Observation observation;
    private final Thread owner = Thread.currentThread();
    private final Runnable step = this::progressBetweenCalls;
    private volatile boolean done;
    private volatile @Nullable Throwable failure;
    /** Who has thrown in it. */
    private Thrower thrower = Thrower.NOBODY;
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
    }

    /** Begins it; what the others wait for in the call around this is its settlement. */
    void start() {
        Background.add(step);
        goOn(operation::progress);
    }

    /** Does what can be done now; says whether waiting for it would return at once. */
    private boolean progress() {
        return goOn(() -> Settlement.aside(operation.name, operation::progress));
    }

    private boolean goOn(BooleanSupplier next) {
        if (!done) {
            try {
                if (!next.getAsBoolean()) {
                    return false;
                }
            } catch (Throwable thrown) {
                thrower = Settlement.throwerOf(thrown);
                failure = thrown;
            }
            observation.end();
            Background.remove(step);
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

    /** Goes on with everything of this thread, as MPI does; says whether waiting for this would return at once. */
    private boolean progressWithAll() {
        boolean over = progress();
        if (!over) {
            Background.progress();
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

    /** What it has staged, once {@link #outcome} has returned. */
    public Staging staged() {
        return operation.result();
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
            Settlement.takeOver(met, thrower);
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
        if (failure == null && operation.staysStaged()) {
            submissions.stage(operation.result());
        } else if (failure == null) {
            operation.publish(operation.result());
            generation = state.generationNumber();
        }
        observation.note(state, failure);
    }
}
