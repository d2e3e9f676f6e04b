package org.restorej.comm.local;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A receive of the local cluster. Only the receiver's own thread writes into its buffer. */
final class ReceiveRequest extends LocalRequest {
    private final MemorySegment buffer;
    private final int source;
    private final int tag;
    /** Guarded by the mailbox's lock. */
    private @Nullable Message message;
    private boolean copied;
    private boolean lost;
    private @Nullable RuntimeException error;

    ReceiveRequest(LocalCommunicator communicator, MemorySegment buffer, int source, int tag) {
        super(communicator);
        this.buffer = buffer;
        this.source = source;
        this.tag = tag;
    }

    int source() {
        return source;
    }

    int tag() {
        return tag;
    }

    Message matchedMessage() {
        return Objects.requireNonNull(message);
    }

    void match(Message found) {
        message = found;
    }

    void unmatch() {
        message = null;
    }

    /**
     * Records that the matched message was lost with its sender or withdrawn after a revocation, so that this can only
     * fail.
     */
    void loseMessage() {
        lost = true;
    }

    /** Copies the bytes of the matched message. Errors are kept for {@link #test}, since any call may copy. */
    void copy() {
        try {
            matchedMessage().copyTo(buffer);
        } catch (RuntimeException thrown) {
            error = thrown;
        }
        copied = true;
        message = null;
    }

    @Override
    protected boolean isDone() {
        if (error != null) {
            throw error;
        }
        return copied;
    }

    @Override
    protected @Nullable RuntimeException blockingFailure() {
        return communicator().failures().withPeer(source, this);
    }

    @Override
    protected void withdraw() {
        Mailbox mailbox = communicator().ownMailbox();
        // If it isn't queued, a sender has just matched it: it then completes, or is queued again.
        while (!copied && !lost && !mailbox.withdraw(this)) {
            mailbox.copyMatched();
        }
    }

    @Override
    public String toString() {
        return "receive from " + source + " with tag " + tag + " into " + buffer.byteSize() + " bytes";
    }
}
