package org.restorej.internal.program;

import java.util.ArrayList;
import java.util.List;

/**
 * What a thread has under way beside what it does, such as a submit in the background. It goes on in steps, while the
 * thread waits for a message in vain or begins a collective call. Each thread has its own.
 */
public final class Background {
    private static final ThreadLocal<Background> OF_THREAD = ThreadLocal.withInitial(Background::new);

    private final List<Runnable> steps = new ArrayList<>();
    private boolean inStep;

    private Background() {}

    /**
     * Begins to go on with something.
     *
     * @param step does what can be done now; waits for nothing and throws nothing
     */
    public static void add(Runnable step) {
        OF_THREAD.get().steps.add(step);
    }

    /** It is over. */
    public static void remove(Runnable step) {
        OF_THREAD.get().steps.remove(step);
    }

    /** Goes on with everything, unless that is what calls this. */
    public static void progress() {
        Background own = OF_THREAD.get();
        if (own.steps.isEmpty() || own.inStep) {
            return;
        }
        own.inStep = true;
        try {
            // A step may end others.
            List.copyOf(own.steps).forEach(Runnable::run);
        } finally {
            own.inStep = false;
        }
    }
}
