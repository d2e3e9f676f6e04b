package org.restorej.internal.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.Checks;

/** Steps go on in the thread that has begun them, until any thread has ended them. */
class BackgroundTest {
    @Test
    void whatAnotherThreadHasEndedGoesOnNoMore() {
        AtomicInteger steps = new AtomicInteger();
        Runnable step = steps::incrementAndGet;
        Background own = Background.ofThread();
        own.add(step);
        Background.progress();
        assertEquals(1, steps.get(), "steps");
        Checks.inAnotherThread(() -> {
            Background.progress();
            own.remove(step);
        });
        Background.progress();
        assertEquals(1, steps.get(), "steps after the end");
    }

    @Test
    void aStepMayEndItselfAndOthers() {
        AtomicInteger steps = new AtomicInteger();
        Background own = Background.ofThread();
        Runnable other = steps::incrementAndGet;
        Runnable first = new Runnable() {
            @Override
            public void run() {
                steps.incrementAndGet();
                own.remove(this);
                own.remove(other);
            }
        };
        own.add(first);
        own.add(other);
        Background.progress();
        int once = steps.get();
        Background.progress();
        assertEquals(once, steps.get(), "steps after the end");
    }
}
