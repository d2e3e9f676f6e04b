package org.restorej.comm;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that goes on in steps, none of which waits for other PEs: so one thread can do something else in between. One
 * thread.
 *
 * @param <T> what it comes to
 */
public interface Task<T extends @Nullable Object> {
    /**
     * Does what can be done now, and says whether all is done. Not to be called again after it has answered true or
     * thrown.
     */
    boolean progress();

    /** What it has come to, once it is done. */
    T result();

    /** Waits until all is done. */
    default T await() {
        while (!progress()) {
            Thread.onSpinWait();
        }
        return result();
    }

    /** Work that is done in one step, which may wait for others. */
    static <T extends @Nullable Object> Task<T> inOneStep(Supplier<T> work) {
        return new Task<>() {
            private @Nullable T result;

            @Override
            public boolean progress() {
                result = work.get();
                return true;
            }

            @Override
            @SuppressWarnings("NullAway") // null only where T may be
            public T result() {
                return result;
            }
        };
    }
}
