package org.restorej.internal.settlement;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that goes on in steps, none of which waits for other PEs: so one thread can do something else in between.
 * One thread.
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

    /** This, and then something that waits for nobody, done in the step that ends this. */
    default <R extends @Nullable Object> Task<R> then(Function<? super T, ? extends R> next) {
        return inOneStep(this::progress, () -> next.apply(result()));
    }

    /** This, and then something else that goes on in steps, begun in the step that ends this. */
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

    /** Work that is done already. */
    static <T extends @Nullable Object> Task<T> done(T result) {
        return inOneStep(() -> result);
    }

    /** Work that is done in one step, which may wait for others. */
    static <T extends @Nullable Object> Task<T> inOneStep(Supplier<T> work) {
        return inOneStep(() -> true, work);
    }

    /**
     * Work that is done in one step.
     *
     * @param isDue whether it can be done now; does what helps to come to that
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
