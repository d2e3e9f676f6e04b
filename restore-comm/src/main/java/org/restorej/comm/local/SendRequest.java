package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;

/** A send of the local cluster. */
final class SendRequest extends LocalRequest {
    private final Message message;
    private final int destination;
    private final boolean synchronous;

    SendRequest(LocalCommunicator communicator, Message message, int destination, boolean synchronous) {
        super(communicator);
        this.message = message;
        this.destination = destination;
        this.synchronous = synchronous;
    }

    @Override
    protected boolean isDone() {
        return message.state() == Message.State.RECEIVED || (message.ownsBytes() && !synchronous);
    }

    @Override
    protected @Nullable RuntimeException blockingFailure() {
        return communicator().failures().withPeer(destination, this);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // waits for the end of a copy, which needs nothing from this thread
    protected void withdraw() {
        Mailbox mailbox = communicator().context().mailbox(destination);
        if (communicator().failures().isRevoked()) {
            mailbox.withdrawWithAllLater(message);
        } else {
            mailbox.withdraw(message);
        }
        while (message.state() == Message.State.COPYING) {
            Thread.yield();
        }
    }

    @Override
    public String toString() {
        return (synchronous ? "synchronous send" : "send") + " to " + destination + " of " + message;
    }
}
