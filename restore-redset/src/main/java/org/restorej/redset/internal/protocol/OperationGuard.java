package org.restorej.redset.internal.protocol;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.ProcessFailedException;
import org.restorej.internal.memory.HeapReserve;
import org.restorej.internal.program.Background;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.settlement.Underway;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.RedsetException;

/**
 * Settles the steps of one {@link RedsetChannel}, and guards operations that consist of several: if a rank throws
 * between two steps, the next step throws on the others. Not thread-safe.
 */
final class OperationGuard implements AutoCloseable {
    private final Communicator communicator;
    private final Underway underway;
    private final Meeting meeting = new Meeting();
    private boolean inOperation;
    /** What has ended all steps, on all ranks: a failure, or an exception of one. Each further step throws at once. */
    private @Nullable Throwable ended;
    private @Nullable Departure departure;

    /**
     * Guards the operations on a communicator.
     *
     * @param underway the pending communication of a step
     */
    OperationGuard(Communicator communicator, Underway underway) {
        this.communicator = communicator;
        this.underway = underway;
    }

    /**
     * This rank's part in the next step after it has left an operation: it does nothing in it, so that it throws on the
     * others. Makes progress in the background of the thread that left, since the others may come late, or never.
     */
    private final class Departure implements Runnable {
        private final Task<?> step = meeting.at(communicator).beginWithoutPart(underway);
        private final Background background = Background.ofThread();

        void begin() {
            background.add(this);
            run();
        }

        @Override
        public void run() {
            try {
                if (step.progress()) {
                    end();
                }
            } catch (RuntimeException | Error failed) {
                end();
            }
        }

        void end() {
            background.remove(this);
            departure = null;
            ended = new CommunicatorRevokedException("an operation that this rank has left");
        }
    }

    /** Runs an operation; see {@link RedsetChannel#operation(Supplier)}. */
    <T extends @Nullable Object> T operation(Supplier<T> steps) {
        if (inOperation) {
            return steps.get();
        }
        inOperation = true;
        try {
            return steps.get();
        } catch (RuntimeException | Error thrown) {
            if (!isThrownByAll(thrown)) {
                leave(thrown);
            }
            throw thrown;
        } finally {
            inOperation = false;
        }
    }

    private boolean isThrownByAll(Throwable thrown) {
        return thrown.equals(ended) || Settlement.isThrownByAll(thrown) || thrown instanceof RedsetException
                || thrown instanceof IrrecoverableFilesException || thrown instanceof IllegalArgumentException
                || thrown instanceof SimulatedFailureError;
    }

    private void leave(Throwable thrown) {
        if (departure != null) {
            return;
        }
        HeapReserve.release();
        try {
            Departure left = new Departure();
            departure = left;
            left.begin();
        } catch (RuntimeException | Error met) {
            thrown.addSuppressed(met);
        }
        HeapReserve.keep();
    }

    /** Settles a step; what it throws ends all steps on all ranks. Parameters as of {@link Meeting#begin}. */
    <T extends @Nullable Object> Outcome<T> settle(String operation, boolean needsEverybody,
            Supplier<Outcome<T>> part) {
        while (departure != null) {
            departure.run();
        }
        if (ended != null) {
            throw ended instanceof ProcessFailedException
                    ? new ProcessFailedException(operation, communicator.failedRanks())
                    : new CommunicatorRevokedException(operation);
        }
        try {
            return meeting.at(communicator).begin(underway, needsEverybody, operation, Task.inOneStep(part)).await();
        } catch (RuntimeException | Error thrown) {
            ended = thrown;
            throw thrown;
        }
    }

    /** Gives up a departure that the others have not come to. */
    @Override
    public void close() {
        if (departure != null) {
            departure.end();
        }
    }
}
