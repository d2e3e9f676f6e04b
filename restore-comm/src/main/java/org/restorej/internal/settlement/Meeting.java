package org.restorej.internal.settlement;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.memory.HeapReserve;

/**
 * Guards a collective call, so that no PE waits in vain: this PE joins the call's settlement, at which the other PEs
 * wait, even if its own call throws before.
 *
 * <pre>{@code
 * try (Meeting call = meeting.at(communicator)) {
 *     ... // an exception here makes the call throw on all PEs
 *     return call.settle("operation", () -> part());
 * }
 * }</pre>
 *
 * <p>
 * The owner creates it in advance, because a PE that runs out of memory must still take part. A store has one for its
 * calls. A background operation has its own, which any thread may use. A loop has one for its own calls and those of
 * the stores that it keeps. Not thread-safe.
 */
public final class Meeting implements AutoCloseable {
    private @Nullable Communicator place;

    /** Sets the communicator of the next settlement, at which the other PEs wait for this one. Needs no memory. */
    public Meeting at(Communicator communicator) {
        place = communicator;
        HeapReserve.keep();
        return this;
    }

    /** Cancels the meeting, because all PEs throw for the same reason before the settlement, so none waits. */
    public void callOff() {
        place = null;
    }

    /** Moves the communicator to another meeting, which takes over the settlement from this one. */
    public void handOverTo(Meeting next) {
        next.place = place;
        place = null;
    }

    /**
     * Settles a part without flags and without pending communication; see {@link #settle(Underway, String, Supplier)}.
     *
     * @return the result of this PE's part
     */
    public <T extends @Nullable Object> T settle(String operation, Supplier<T> part) {
        return settle(() -> {}, operation, () -> Outcome.of(part.get())).result();
    }

    /**
     * Runs this PE's part of an operation and settles it with the others. Called by all PEs of the communicator.
     *
     * <p>
     * An exception of the part is thrown on this PE after all PEs have agreed. On a PE whose failure is simulated, its
     * communicator throws again, and the PE doesn't take part. If this PE's part is done but others still need this PE,
     * it serves them until all have agreed, so that one agreement ends the operation.
     *
     * @param underway the pending communication of the part
     * @param operation name of the operation, for messages
     * @param part does this PE's part
     * @return the result of this PE's part, and the flags that the parts of all PEs have in common
     * @throws org.restorej.comm.ProcessFailedException if a process has failed and the operation did not succeed; the
     *         same on every survivor that throws no exception of its own
     * @throws org.restorej.comm.CommunicatorRevokedException if the operation did not succeed although no process has
     *         failed
     */
    public <T extends @Nullable Object> Outcome<T> settle(Underway underway, String operation,
            Supplier<Outcome<T>> part) {
        return begin(underway, false, operation, Task.inOneStep(part)).await();
    }

    /**
     * Starts a part in steps, and its settlement, without waiting; see {@link #settle(Underway, String, Supplier)}.
     * From now on the settlement is responsible for this PE's participation. Called by all PEs.
     *
     * @param needsEverybody whether it succeeds only if no process has failed; the same on all PEs. An agreement
     *        ignores the flags of failed PEs, so the survivors may not know whether a failed PE had rejected it
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
     * Starts to join the settlement at which the other PEs wait, or will wait, without doing this PE's part, so that
     * they throw. Doesn't wait for them: they may have had no further settlement here.
     *
     * @param underway pending communication of this PE
     * @return never has a result: it throws {@link Settlement#isLeft what stands for} the exception of this PE's call
     */
    public Task<Outcome<Boolean>> beginWithoutPart(Underway underway) {
        return begin(underway, false, "a call that has ended before its part", Task.inOneStep(() -> {
            throw Settlement.CANNOT;
        }));
    }

    /**
     * Ends the call, whether it returns or throws. If it throws before the settlement at which the others wait for this
     * PE, this PE joins it now without doing its part, so that the others throw as well. The exception of that
     * settlement is dropped, since the call throws already.
     */
    @Override
    public void close() {
        if (place != null) {
            HeapReserve.release();
            try {
                beginWithoutPart(() -> {}).await();
            } catch (RuntimeException | OutOfMemoryError met) {
                // The other PEs throw, too. This PE's caller gets the original exception.
            }
            HeapReserve.keep();
        }
    }
}
