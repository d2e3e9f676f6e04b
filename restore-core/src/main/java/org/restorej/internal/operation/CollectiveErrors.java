package org.restorej.internal.operation;

import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Task;

/**
 * The errors that a PE has found in a collective operation, and their exchange: all PEs get the number of PEs with
 * errors, and the first few messages. Costs a few messages for any number of PEs. Not thread-safe.
 */
final class CollectiveErrors {
    /** Maximum length of a PE's message. */
    private static final int TEXT_CHARACTERS = 512;

    /** Maximum number of messages that are shown. */
    private static final int SHOWN_TEXTS = 4;

    private @Nullable String text;
    private @Nullable Throwable cause;
    /** Whether the error is in this PE's contribution, not in what was received from all PEs. */
    private boolean ownFault;

    boolean isEmpty() {
        return text == null;
    }

    /** Records an error in this PE's contribution; the first one counts. */
    void addOwn(String error, @Nullable Throwable failure) {
        if (text == null) {
            text = error;
            cause = failure;
            ownFault = true;
        }
    }

    /** Records an error in what was received from all PEs. */
    void addReceived(Optional<String> error) {
        if (text == null) {
            text = error.orElse(null);
        }
    }

    /**
     * Exchanges the errors of all PEs. If some contributions have errors, only those are reported, since missing blocks
     * follow from them. Called by all PEs.
     */
    Task<String> onAllPes(Communicator communicator) {
        return gather(communicator, true).thenBegin(own -> own.tellers() > 0
                ? Task.done(own)
                : gather(communicator, false)).then(told -> shown(told, communicator));
    }

    private Task<GatheredRecords> gather(Communicator communicator, boolean own) {
        return GatheredRecords.of(communicator, text == null || ownFault != own
                ? null
                : text.codePoints().limit(TEXT_CHARACTERS).asLongStream().toArray(), SHOWN_TEXTS);
    }

    /** Sets this PE's exception as the cause; throws it instead if it is an {@link Error}. */
    <X extends IllegalArgumentException> X withCause(X refusal) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }

    private static String shown(GatheredRecords gathered, Communicator communicator) {
        String texts = gathered.first().stream()
                .map(told -> "original rank " + communicator.ranks().originalRankOf(told.rank()) + ": "
                        + told.words().longStream().mapToObj(word -> Character.toString((int) word))
                                .collect(Collectors.joining()))
                .collect(Collectors.joining(" | "));
        return texts + (gathered.tellers() > SHOWN_TEXTS ? " | and so on, on " + gathered.tellers() + " PEs" : "");
    }
}
