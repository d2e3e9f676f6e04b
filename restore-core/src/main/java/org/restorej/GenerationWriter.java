package org.restorej;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;
import org.restorej.comm.Settlement.Thrower;

/**
 * Submits a generation in a thread of its own, or at once in the caller's. At most one is under way. Used by the thread
 * of the loop.
 */
final class GenerationWriter {
    private @Nullable FutureTask<Boolean> underWay;
    /** Who has thrown in the submit that has thrown. */
    private volatile Thrower thrower = Thrower.NOBODY;

    /**
     * Starts to submit. From there on the others wait for that thread.
     *
     * @param submit submits and commits; throws where the others throw, too
     * @param background whether to return at once
     */
    void start(Runnable submit, boolean background) {
        thrower = Thrower.NOBODY;
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            try {
                submit.run();
            } catch (Throwable thrown) {
                thrower = Settlement.throwerOf(thrown);
                throw thrown;
            } finally {
                Settlement.leave("submit");
            }
        }, true);
        underWay = task;
        if (background) {
            try {
                Thread.ofPlatform().daemon().name("restore-checkpoint").start(task);
                Settlement.expectNothing();
                return;
            } catch (OutOfMemoryError _) {
                // No more threads: then it is done here and now, as the others rely on.
            }
        }
        task.run();
    }

    /**
     * Waits for what is under way, and throws what that has thrown.
     *
     * @return whether something was under way that is committed now, and was not known to be
     */
    boolean await() {
        FutureTask<Boolean> task = underWay;
        underWay = null;
        return task != null && outcome(task);
    }

    private boolean outcome(FutureTask<Boolean> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException _) {
                    // The others rely on this PE's part; the caller is told afterwards.
                    interrupted = true;
                }
            }
        } catch (ExecutionException failure) {
            Throwable thrown = failure.getCause() == null ? failure : failure.getCause();
            Settlement.takeOver(thrown, thrower);
            throw Settlement.<RuntimeException>asItIs(thrown);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
