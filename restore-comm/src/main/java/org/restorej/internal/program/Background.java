package org.restorej.internal.program;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a thread has under way beside what it does, such as a submit in the background. It goes on in steps, while the
 * thread waits for a message in vain or begins a collective call. Each thread has its own, and only what is begun by
 * that thread is in it; what is over may be removed by any thread.
 */
public final class Background {
    private static final ThreadLocal<Background> OF_THREAD = ThreadLocal.withInitial(Background::new);

    /** Goes on with a copy, since a step may end others. */
    private final List<Runnable> steps = new CopyOnWriteArrayList<>();
    private boolean inStep;

    private Background() {}

    /** That of the calling thread. */
    public static Background ofThread() {
        return OF_THREAD.get();
    }

    /**
     * Begins to go on with something.
     *
     * @param step does what can be done now; waits for nothing and throws nothing
     */
    public void add(Runnable step) {
        steps.add(step);
    }

    /** It is over. */
    public void remove(Runnable step) {
        steps.remove(step);
    }

    /** Whether this thread has nothing under way. */
    public static boolean isIdle() {
        return OF_THREAD.get().steps.isEmpty();
    }

    /** Goes on with everything until it has ended: before this thread waits for others who may wait for that. */
    public static void end() {
        while (!isIdle()) {
            progress();
        }
    }

    /** Goes on with everything of the calling thread, unless that is what calls this. */
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
