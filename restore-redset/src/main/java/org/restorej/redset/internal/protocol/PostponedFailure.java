package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first failure of this rank in a step. It is kept until this rank has sent the last message for which others wait.
 * After a failure nothing more is attempted. Not thread-safe.
 */
public final class PostponedFailure {
    private @Nullable IOException failure;

    /**
     * An argument of the application is invalid. {@link RedsetChannel} turns this into an
     * {@link IllegalArgumentException} on all ranks.
     */
    static final class MistakeException extends IOException {
        private static final long serialVersionUID = 1;

        MistakeException(IllegalArgumentException mistake) {
            super(mistake.getMessage(), mistake);
        }
    }

    /** Performs a computation on files, unless there was a failure before. Empty if it was not performed or failed. */
    public <T> Optional<T> attempt(RedsetChannel.Computation<T> attempt) {
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

    /** Communicates, also after a failure, since others wait for the messages. */
    void communicate(RedsetChannel.Computation<Boolean> exchange) {
        PostponedFailure ofExchange = new PostponedFailure();
        ofExchange.attempt(exchange);
        failure = failure == null ? ofExchange.failure : failure;
    }

    /**
     * As {@link #attempt}, for computations without communication. They may also find an invalid argument of the
     * application.
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

    /** Throws the failure, if there is one. Called after the last message. */
    public void throwIfAny() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}
