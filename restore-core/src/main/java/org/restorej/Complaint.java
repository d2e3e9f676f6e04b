package org.restorej;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.internal.transfer.Channel;

/**
 * What a PE has to complain of in a submission, and how all PEs learn of it: of how many there are, and what the first
 * few of them say. Costs a few messages whatever the number of PEs. One thread.
 */
final class Complaint {
    /** A PE's complaint is cut to this many bytes. */
    private static final int COMPLAINT_BYTES = 512;

    /** How many PEs' complaints a message has. */
    private static final int SHOWN_COMPLAINTS = 4;

    private static final long NOBODY = Long.MAX_VALUE;

    private @Nullable String text;
    private @Nullable Throwable cause;
    /** Whether it is about what this PE contributed, and not about what came together from all. */
    private boolean ownFault;

    boolean isEmpty() {
        return text == null;
    }

    /** About what this PE contributed; the first complaint counts. */
    void ofThisPe(@Nullable String complaint, @Nullable Throwable failure) {
        if (text == null && complaint != null) {
            text = complaint;
            cause = failure;
            ownFault = true;
        }
    }

    /** About what came from all PEs. */
    void ofWhatCame(Optional<String> complaint) {
        if (text == null) {
            text = complaint.orElse(null);
        }
    }

    /**
     * What all PEs have to complain of, as an exception for each of them. When some contributed wrongly, that is all it
     * says: that blocks are missing then follows from it. Called by all PEs; settled.
     *
     * @throws Error when that is what this PE complains of: the others get the exception
     */
    InvalidSubmissionException refusal(String operation, Channel channel) {
        StringBuilder message = new StringBuilder(operation + " refused: ");
        channel.settle("comparing submissions", () -> {
            message.append(complaints(channel.communicator()));
            return Settlement.ALL;
        });
        if (cause instanceof Error error) {
            throw error;
        }
        InvalidSubmissionException refusal = new InvalidSubmissionException(message.toString());
        if (cause != null) {
            refusal.initCause(cause);
        }
        return refusal;
    }

    private String complaints(Communicator communicator) {
        long[] counts = {text != null && ownFault ? 1 : 0, text != null && !ownFault ? 1 : 0};
        communicator.allReduce(counts, Reduction.SUM);
        boolean own = counts[0] > 0;
        long total = own ? counts[0] : counts[1];
        boolean mine = text != null && ownFault == own;
        StringBuilder shown = new StringBuilder();
        for (long i = 0; i < Math.min(total, SHOWN_COMPLAINTS); i++) {
            long[] speaker = {mine ? communicator.rank() : NOBODY};
            communicator.allReduce(speaker, Reduction.MIN);
            boolean speaks = speaker[0] == communicator.rank();
            shown.append(i == 0 ? "" : " | ").append("original rank ")
                    .append(communicator.ranks().originalRankOf((int) speaker[0])).append(": ")
                    .append(broadcast(communicator, speaks ? text : null));
            mine &= !speaks;
        }
        return shown + (total > SHOWN_COMPLAINTS ? " | and so on, on " + total + " PEs" : "");
    }

    /** The text of the one PE that has any, on all of them: its bytes are summed with everybody else's zeros. */
    private static String broadcast(Communicator communicator, @Nullable String spoken) {
        long[] words = new long[COMPLAINT_BYTES / Long.BYTES];
        MemorySegment memory = MemorySegment.ofArray(words);
        if (spoken != null) {
            byte[] bytes = spoken.getBytes(StandardCharsets.UTF_8);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, Math.min(bytes.length, COMPLAINT_BYTES));
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
