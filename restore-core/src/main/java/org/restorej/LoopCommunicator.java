package org.restorej;

import java.util.Objects;
import org.restorej.comm.Communicator;

/** The communicator that a loop works on: the caller's until the first failure, then the loop's own. One thread. */
final class LoopCommunicator {
    private Communicator current;
    /** False as long as it is the caller's, who closes it. */
    private boolean owned;

    LoopCommunicator(Communicator callers) {
        current = Objects.requireNonNull(callers, "communicator");
    }

    Communicator current() {
        return current;
    }

    /** Goes on with the survivors. Called by all of them. */
    Communicator shrink() {
        current.revoke();
        Communicator survivors = current.shrink();
        if (owned) {
            current.close();
        }
        owned = true;
        current = survivors;
        return survivors;
    }
}
