package org.restorej.loop;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;
import org.restorej.loop.CheckpointLoop.Recovery;

/** Tells an application of recoveries. What it throws then is kept until the others don't wait for this PE. */
final class RecoveryObserver {
    private Consumer<Recovery> consumer = recovery -> {};
    private @Nullable Throwable failure;

    void set(Consumer<Recovery> observer) {
        consumer = observer;
    }

    /** Tells of a recovery that is complete: the others have recovered, and wait for this PE in what follows. */
    void tell(Recovery recovery) {
        try {
            consumer.accept(recovery);
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    /** Throws what the consumer has thrown, once; inside an operation that is settled. */
    void throwFailure() {
        Throwable thrown = failure;
        failure = null;
        if (thrown != null) {
            throw Settlement.<RuntimeException>asItIs(thrown);
        }
    }
}
