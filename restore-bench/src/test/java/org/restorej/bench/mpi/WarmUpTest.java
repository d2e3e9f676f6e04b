package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.restorej.comm.LocalCluster;

class WarmUpTest {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    @Test
    void callsSixtyTimesOrForAQuarterOfTheTimeButNoLongerThanIt() {
        WarmUp warmUp = new WarmUp(60, NANOS);
        assertTrue(warmUp.isTooShort(59, NANOS - 1));
        assertFalse(warmUp.isTooShort(60, NANOS - 1));
        assertTrue(warmUp.isTooShort(60, NANOS / 4 - 1));
        assertFalse(warmUp.isTooShort(6, NANOS));
        assertTrue(warmUp.isTooShort(4, 10 * NANOS), "so few calls warm nothing up");
    }

    @Test
    void theFirstOfItsKindIsCalledFourTimesAsOften() {
        assertEquals(new WarmUp(240, 4 * NANOS), new WarmUp(60, NANOS).ofTheFirst());
    }

    @Test
    void callsNothingWhenThereIsNoTime() {
        assertFalse(new WarmUp(60, 0).isTooShort(0, 0));
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
