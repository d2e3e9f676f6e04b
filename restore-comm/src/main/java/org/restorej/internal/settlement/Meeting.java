package org.restorej.internal.settlement;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.memory.HeapReserve;

/**
 * Where the other PEs wait for this one in a collective call: each comes there, whatever becomes of its call before.
 *
 * <pre>{@code
 * try (Meeting call = meeting.at(communicator)) {
 *     ... // What is thrown here, the others need not wait for.
 *     return call.settle("operation", () -> part());
 * }
 * }</pre>
 *
 * <p>
 * Its owner makes it beforehand, since a PE without memory must come there, too: a store has one for its calls, an
 * operation in the background one of its own, with which any thread goes on, and a loop one, also for the calls that it
 * makes of the stores that it keeps. One thread at a time.
 */
public final class Meeting implements AutoCloseable {
    private @Nullable Communicator place;

    /** The others come next to a settlement on this communicator, and wait for this PE there. Takes no memory. */
    public Meeting at(Communicator communicator) {
        place = communicator;
        HeapReserve.keep();
        return this;
    }

    /** Nobody waits for this PE: what keeps it from the settlement keeps all PEs from it. */
    public void callOff() {
        place = null;
    }

    /** Another meeting is where this one was, which nobody waits at any more. */
    public void handOverTo(Meeting next) {
        next.place = place;
        place = null;
    }

    /**
     * Runs a part that has no flags and leaves nothing under way; see {@link #settle(Underway, String, Supplier)}.
     *
     * @return what this PE's part has returned
     */
    public <T extends @Nullable Object> T settle(String operation, Supplier<T> part) {
        return settle(() -> {}, operation, () -> Outcome.of(part.get())).result();
    }

    /**
     * Runs this PE's part of an operation and settles it with the others. Called by all PEs, which all are at the
     * communicator.
     *
     * <p>
     * What the part throws, this PE throws when all have agreed. On a PE that has failed nothing else happens: its
     * communicator throws its failure again. A part may be done while the others still need something of this PE: then
     * it goes on with that until all have agreed, so that one agreement ends the operation.
     *
     * @param underway what the part has under way
     * @param operation what it is called in messages
     * @param part does this PE's part
     * @return the result of this PE's part, and the flags that the parts of all PEs have in common
     * @throws org.restorej.comm.ProcessFailedException when it was not done by all; the same on every survivor
     * @throws org.restorej.comm.CommunicatorRevokedException when it was not done by all although no process has failed
     */
    public <T extends @Nullable Object> Outcome<T> settle(Underway underway, String operation,
            Supplier<Outcome<T>> part) {
        return begin(underway, false, operation, Task.inOneStep(part)).await();
    }

    /**
     * Begins a part that goes on in steps, and its settlement with it; as {@link #settle(Underway, String, Supplier)},
     * but waits for nothing. From here on the settlement brings this PE to the others. Called by all PEs.
     *
     * @param needsEverybody whether it counts only when no process has failed, the same on all PEs. An agreement leaves
     *        out the flags of failed PEs: what those would have said against it, nobody alive may know
     */
    public <T extends @Nullable Object> Task<Outcome<T>> begin(Underway underway, boolean needsEverybody,
            String operation, Task<Outcome<T>> part) {
        Communicator here = place;
        if (here == null) {
            throw new IllegalStateException(operation + " needs a communicator at which all PEs meet");
        }
        Task<Outcome<T>> begun = new PendingSettlement<>(here, underway, needsEverybody, operation, part);
        place = null;
        return begun;
    }

    /**
     * The call is over, whether it returns or throws. Where it throws before the settlement at which the others wait
     * for this PE, it comes there now, as one that can't take part: then the others throw as well. Throws nothing of its
     * own, since the call throws already.
     */
    @Override
    public void close() {
        if (place != null) {
            HeapReserve.release();
            try {
                settle("a call that has ended before its part", () -> {
                    throw Settlement.CANNOT;
                });
            } catch (RuntimeException | OutOfMemoryError met) {
                // The others throw it. This PE's caller gets what has kept it from its part.
            }
            HeapReserve.keep();
        }
    }
}
