package org.restorej.internal.program;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The background operations of a thread, such as a submit. They make progress while the thread polls for a message
 * without success, or starts a collective call. Each thread has its own, and only the operations that it has started;
 * any thread may remove those that have ended.
 */
public final class Background {
    private static final ThreadLocal<Background> OF_THREAD = ThreadLocal.withInitial(Background::new);

    /** Iterated over a snapshot, since a step may end other operations. */
    private final List<Runnable> steps = new CopyOnWriteArrayList<>();
    private boolean inStep;

    private Background() {}

    /** The operations of the calling thread. */
    public static Background ofThread() {
        return OF_THREAD.get();
    }

    /**
     * Adds an operation.
     *
     * @param step makes progress; doesn't wait and throws nothing
     */
    public void add(Runnable step) {
        steps.add(step);
    }

    /** Removes an operation that has ended. */
    public void remove(Runnable step) {
        steps.remove(step);
    }

    /** Whether this thread has no background operations. */
    public static boolean isIdle() {
        return OF_THREAD.get().steps.isEmpty();
    }

    /** Runs all operations until they have ended. Called before this thread waits for PEs that may wait for them. */
    public static void end() {
        while (!isIdle()) {
            progress();
        }
    }

    /** Makes progress with all operations of the calling thread, unless called by one of them. */
    public static void progress() {
        Background own = OF_THREAD.get();
        if (own.steps.isEmpty() || own.inStep) {
            return;
        }
        own.inStep = true;
        try {
            own.steps.forEach(Runnable::run);
        } finally {
            own.inStep = false;
        }
    }
}
