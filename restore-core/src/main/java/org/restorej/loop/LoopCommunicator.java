package org.restorej.loop;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Settlement;

/**
 * The communicator that a loop works on: the caller's until the first failure, then the loop's own; and where the
 * others wait for this PE in a call of the loop. One thread.
 */
final class LoopCommunicator {
    private final Meeting meeting = new Meeting();
    private Communicator current;
    /** False as long as it is the caller's, who closes it. */
    private boolean owned;

    LoopCommunicator(Communicator callers) {
        current = Objects.requireNonNull(callers, "communicator");
    }

    Communicator current() {
        return current;
    }

    /** Where the others wait for this PE, here or in the stores that the loop keeps. */
    Meeting meeting() {
        return meeting;
    }

    /** The others come to a settlement on this communicator. */
    Meeting meet() {
        return meeting.at(current);
    }

    /**
     * Calls the application. A failure that it has met in MPI calls of its own is thrown as the failure that it is.
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

    /** Goes on with the survivors. Called by all of them. */
    Communicator shrink() {
        // All go back, also where nobody has failed and the transport can tell nobody.
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
