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
    /** What it has thrown, and who has thrown in it. Kept here: a future would need memory to tell it. */
    private volatile @Nullable Throwable thrown;
    private volatile Thrower thrower = Thrower.NOBODY;

    /**
     * Starts to submit. From there on the others wait for that thread.
     *
     * @param submit submits and commits; throws where the others throw, too
     * @param background whether to return at once
     */
    void start(Runnable submit, boolean background) {
        thrown = null;
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            try {
                submit.run();
            } catch (Throwable met) {
                thrower = Settlement.throwerOf(met);
                thrown = met;
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
        if (task == null) {
            return false;
        }
        awaitEnd(task);
        Throwable met = thrown;
        if (met != null) {
            thrown = null;
            Settlement.takeOver(met, thrower);
            throw Settlement.<RuntimeException>asItIs(met);
        }
        return true;
    }

    private static void awaitEnd(FutureTask<Boolean> task) {
        boolean interrupted = false;
        while (true) {
            try {
                task.get();
                break;
            } catch (InterruptedException _) {
                // The others rely on this PE's part; the caller is told afterwards.
                interrupted = true;
            } catch (ExecutionException failure) {
                throw Settlement.<RuntimeException>asItIs(failure.getCause() == null ? failure : failure.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
