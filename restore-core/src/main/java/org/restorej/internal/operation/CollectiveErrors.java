package org.restorej.internal.operation;

import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Task;

/**
 * What a PE has found wrong in a collective operation, and how all PEs learn of it: on how many PEs something is wrong,
 * and what the first few of them say. Costs a few messages whatever the number of PEs. One thread.
 */
final class CollectiveErrors {
    /** A PE's text is cut to this many characters. */
    private static final int TEXT_CHARACTERS = 512;

    /** So many PEs' texts are shown. */
    private static final int SHOWN_TEXTS = 4;

    private @Nullable String text;
    private @Nullable Throwable cause;
    /** Whether it is about what this PE contributed, and not about what came together from all. */
    private boolean ownFault;

    boolean isEmpty() {
        return text == null;
    }

    /** Notes what is wrong with what this PE contributed; the first error counts. */
    void addOwn(String error, @Nullable Throwable failure) {
        if (text == null) {
            text = error;
            cause = failure;
            ownFault = true;
        }
    }

    /** Notes what is wrong with what came from all PEs. */
    void addReceived(Optional<String> error) {
        if (text == null) {
            text = error.orElse(null);
        }
    }

    /**
     * Tells all PEs what any of them has found wrong. When some have contributed something wrong, that is all it says:
     * that blocks are missing then follows from it. Begun by all PEs.
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

    /** Has what this PE has met as its cause; where that is an error, it throws that. */
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
