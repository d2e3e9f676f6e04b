package org.restorej.comm.testing;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Assertions for programs that also run where no test framework is. */
public final class Checks {
    /** Something that is expected to throw. */
    @FunctionalInterface
    public interface Action {
        /** Does it. */
        void run();
    }

    private Checks() {}

    /** Throws unless the condition holds. */
    public static void holds(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("expected: " + what);
        }
    }

    /** Throws unless both are equal. */
    public static void equal(@Nullable Object expected, @Nullable Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(what + ": expected " + expected + ", was " + actual);
        }
    }

    /** Throws unless the action throws an exception of this type, which is returned. */
    public static <X extends Throwable> X throwing(Class<X> type, Action action, String what) {
        try {
            action.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError(what + ": expected " + type.getSimpleName() + ", was " + thrown, thrown);
        }
        throw new AssertionError(what + ": expected " + type.getSimpleName() + ", nothing was thrown");
    }

    /** Does it in another thread, for which this one waits; throws what that has thrown. */
    public static void inAnotherThread(Action action) {
        FutureTask<@Nullable Void> task = new FutureTask<>(action::run, null);
        Thread.ofPlatform().start(task);
        try {
            task.get();
        } catch (ExecutionException thrown) {
            throw new AssertionError("in another thread: " + thrown.getCause(), thrown.getCause());
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }
}
