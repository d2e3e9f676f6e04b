package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;

class WarmUpTest {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    @Test
    void callsSixtyTimesAndUntilCompilersAreIdleButNoLongerThanTheTime() {
        WarmUp warmUp = new WarmUp(60, NANOS);
        assertTrue(warmUp.isTooShort(59, NANOS - 1, false));
        assertFalse(warmUp.isTooShort(60, NANOS - 1, false));
        assertTrue(warmUp.isTooShort(60, NANOS - 1, true));
        assertFalse(warmUp.isTooShort(6, NANOS, true));
        assertTrue(warmUp.isTooShort(4, 10 * NANOS, false), "so few calls warm nothing up");
    }

    @Test
    void theFirstOfItsKindIsCalledFiveTimesAsOften() {
        assertEquals(new WarmUp(300, 5 * NANOS), new WarmUp(60, NANOS).ofTheFirst());
    }

    @Test
    void callsNothingWhenThereIsNoTime() {
        assertFalse(new WarmUp(60, 0).isTooShort(0, 0, true));
    }

    @Test
    void compilersAreBusyUntilTheyHaveBeenIdleForAWhile() {
        assertTrue(new CompilerActivity(TimeUnit.HOURS.toNanos(1)).isBusy());
        assertFalse(new CompilerActivity(0).isBusy());
    }

    @Test
    void allPesCallAsOftenThoughOneIsSlow() {
        WarmUp warmUp = new WarmUp(60, TimeUnit.MILLISECONDS.toNanos(20));
        List<Integer> calls = LocalCluster.run(3, world -> warmUp.run(world,
                () -> LockSupport.parkNanos(world.rank() == 1 ? 2_000_000 : 1000)));
        assertEquals(1, calls.stream().distinct().count(), calls::toString);
        assertTrue(calls.getFirst() >= 5, calls::toString);
    }
}
