package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.internal.transfer.Channel;

/**
 * What a PE has found wrong in a collective operation, and how all PEs learn of it: on how many PEs something is wrong,
 * and what the first few of them say. Costs a few messages whatever the number of PEs. One thread.
 */
final class CollectiveErrors {
    /** A PE's text is cut to this many bytes. */
    private static final int TEXT_BYTES = 512;

    /** How many PEs' texts a message has. */
    private static final int SHOWN_TEXTS = 4;

    private static final long NOBODY = Long.MAX_VALUE;

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
     * that blocks are missing then follows from it. Called by all PEs; settled.
     *
     * @return the exception that every PE throws
     * @throws Error when that is what this PE has met: the others get the exception
     */
    InvalidSubmissionException onAllPes(String operation, Channel channel) {
        return refusal(new InvalidSubmissionException(operation + " refused: " + channel.settle("comparing submissions",
                () -> Settlement.Outcome.of(texts(channel.communicator()))).result()));
    }

    /** As {@link #onAllPes(String, Channel)}, where there is no channel yet. */
    IllegalArgumentException onAllPes(Communicator communicator) {
        return refusal(new IllegalArgumentException(
                Settlement.settle(communicator, "comparing errors", () -> texts(communicator))));
    }

    private <X extends IllegalArgumentException> X refusal(X refusal) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }

    private String texts(Communicator communicator) {
        long[] counts = {text != null && ownFault ? 1 : 0, text != null && !ownFault ? 1 : 0};
        communicator.allReduce(counts, Reduction.SUM);
        boolean own = counts[0] > 0;
        long total = own ? counts[0] : counts[1];
        boolean mine = text != null && ownFault == own;
        StringBuilder shown = new StringBuilder();
        for (long i = 0; i < Math.min(total, SHOWN_TEXTS); i++) {
            long[] speaker = {mine ? communicator.rank() : NOBODY};
            communicator.allReduce(speaker, Reduction.MIN);
            boolean speaks = speaker[0] == communicator.rank();
            shown.append(i == 0 ? "" : " | ").append("original rank ")
                    .append(communicator.ranks().originalRankOf((int) speaker[0])).append(": ")
                    .append(broadcast(communicator, speaks ? text : null));
            mine &= !speaks;
        }
        return shown + (total > SHOWN_TEXTS ? " | and so on, on " + total + " PEs" : "");
    }

    /** The text of the one PE that has any, on all of them: its bytes are summed with everybody else's zeros. */
    private static String broadcast(Communicator communicator, @Nullable String spoken) {
        long[] words = new long[TEXT_BYTES / Long.BYTES];
        MemorySegment memory = MemorySegment.ofArray(words);
        if (spoken != null) {
            byte[] bytes = spoken.getBytes(StandardCharsets.UTF_8);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, Math.min(bytes.length, TEXT_BYTES));
        }
        communicator.allReduce(words, Reduction.SUM);
        byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(Arrays.copyOf(bytes, length), StandardCharsets.UTF_8);
    }
}
