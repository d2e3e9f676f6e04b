package org.restorej.internal.settlement;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work in steps that don't wait for other PEs, so that a thread can do something else in between. Not thread-safe.
 *
 * @param <T> result of the work
 */
public interface Task<T extends @Nullable Object> {
    /**
     * Makes progress, and returns whether all is done. Must not be called again after it has returned true or thrown.
     */
    boolean progress();

    /** The result, once it is done. */
    T result();

    /** Waits until all is done, and returns the result. */
    default T await() {
        while (!progress()) {
            Thread.onSpinWait();
        }
        return result();
    }

    /** This work followed by a function that doesn't wait, which runs in the last step of this. */
    default <R extends @Nullable Object> Task<R> then(Function<? super T, ? extends R> next) {
        return inOneStep(this::progress, () -> next.apply(result()));
    }

    /** This work followed by other work in steps, which starts in the last step of this. */
    default <R extends @Nullable Object> Task<R> thenBegin(Function<? super T, ? extends Task<R>> next) {
        Task<Task<R>> begun = then(next);
        return new Task<>() {
            private @Nullable Task<R> second;

            @Override
            public boolean progress() {
                Task<R> current = second;
                if (current == null) {
                    if (!begun.progress()) {
                        return false;
                    }
                    current = begun.result();
                    second = current;
                }
                return current.progress();
            }

            @Override
            public R result() {
                return Objects.requireNonNull(second).result();
            }
        };
    }

    /** Work that is already done. */
    static <T extends @Nullable Object> Task<T> done(T result) {
        return inOneStep(() -> result);
    }

    /** Work in one step, which may wait for other PEs. */
    static <T extends @Nullable Object> Task<T> inOneStep(Supplier<T> work) {
        return inOneStep(() -> true, work);
    }

    /**
     * Work in one step.
     *
     * @param isDue whether the step can run now; makes progress towards that
     */
    static <T extends @Nullable Object> Task<T> inOneStep(BooleanSupplier isDue, Supplier<? extends T> work) {
        return new Task<>() {
            private @Nullable T result;

            @Override
            public boolean progress() {
                if (!isDue.getAsBoolean()) {
                    return false;
                }
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
