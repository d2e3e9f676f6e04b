package org.restorej.loop;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Settlement;

/**
 * The communicator of a loop: the caller's until the first failure, then the loop's own. Also the loop's meeting, by
 * which the other PEs learn of an exception in a call of the loop. Not thread-safe.
 */
final class LoopCommunicator {
    private final Meeting meeting = new Meeting();
    private Communicator current;
    /** False while it belongs to the caller, which closes it. */
    private boolean owned;

    LoopCommunicator(Communicator callers) {
        current = Objects.requireNonNull(callers, "communicator");
    }

    Communicator current() {
        return current;
    }

    /** Whether this PE performs the tasks of which one PE performs each for all. */
    boolean isFirst() {
        return current.rank() == 0;
    }

    /** The meeting of the loop and of the stores that it keeps. */
    Meeting meeting() {
        return meeting;
    }

    /** Announces that the other PEs are about to settle on this communicator. */
    Meeting meet() {
        return meeting.at(current);
    }

    /**
     * Calls the application. Replaces an exception from the application's own MPI calls by the communication failure
     * behind it.
     */
    <T extends @Nullable Object> T call(CheckpointLoop.Evaluation<T> function) {
        try {
            return function.apply(current);
        } catch (CommunicationFailedException failure) {
            throw failure;
        } catch (Exception thrown) {
            throw Settlement.<RuntimeException>sneakyThrow(
                    current.failureBehind(thrown).<Exception>map(failure -> failure).orElse(thrown));
        }
    }

    /** Shrinks to the survivors. Called by all of them. */
    Communicator shrink() {
        // Revoke, so that all PEs roll back even if no PE has failed or the transport doesn't report failures.
        current.revoke(new CommunicatorRevokedException("the loop"));
        Communicator survivors = current.shrink();
        if (owned) {
            current.close();
        }
        owned = true;
        current = survivors;
        return survivors;
    }
}
