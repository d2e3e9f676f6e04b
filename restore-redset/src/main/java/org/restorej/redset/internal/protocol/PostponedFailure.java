package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first failure of this rank in a step. It is kept until this rank has sent the last message that others wait for.
 * After a failure nothing more is attempted. One thread.
 */
public final class PostponedFailure {
    private @Nullable IOException failure;

    /**
     * What the application has passed is wrong: {@link RedsetChannel} makes it an {@link IllegalArgumentException} on
     * all.
     */
    static final class MistakeException extends IOException {
        private static final long serialVersionUID = 1;

        MistakeException(IllegalArgumentException mistake) {
            super(mistake.getMessage(), mistake);
        }
    }

    /**
     * Runs something that works on files, unless something has failed before; empty when it was not or could not be
     * done.
     */
    <T> Optional<T> attempt(RedsetChannel.Computation<T> attempt) {
        if (failure == null) {
            try {
                return Optional.of(attempt.run());
            } catch (IOException failed) {
                failure = failed;
            } catch (UncheckedIOException failed) {
                failure = Objects.requireNonNull(failed.getCause());
            }
        }
        return Optional.empty();
    }

    /** Communicates, also after a failure: others wait for the messages. */
    void communicate(RedsetChannel.Computation<Boolean> exchange) {
        PostponedFailure ofExchange = new PostponedFailure();
        ofExchange.attempt(exchange);
        failure = failure == null ? ofExchange.failure : failure;
    }

    /**
     * As {@link #attempt}, for what doesn't communicate. That may also find that what the application has passed is
     * wrong.
     */
    <T> Optional<T> attemptLocally(RedsetChannel.Computation<T> attempt) {
        return attempt(() -> {
            try {
                return attempt.run();
            } catch (IllegalArgumentException mistake) {
                throw new MistakeException(mistake);
            }
        });
    }

    boolean isThere() {
        return failure != null;
    }

    /** Throws the failure, if there is one: after the last message. */
    public void throwIfAny() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}
