package org.restorej.internal.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import org.junit.jupiter.api.Test;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.Checks;
import org.restorej.internal.settlement.Meeting;

/** Where the others wait for the calls of a store. */
class StoreCallsTest {
    /** It would take the loop from there, to where nobody waits for it. */
    @Test
    void aCallOfAnotherThreadDoesNotComeToWhereTheLoopIsExpected() {
        LocalCluster.run(2, world -> {
            StoreCalls calls = new StoreCalls();
            Meeting loops = new Meeting();
            calls.keptBy(loops);
            calls.expect(world);
            Checks.inAnotherThread(() -> {
                try (var _ = calls.begin("a call of another thread")) {
                    assertNotSame(loops, calls.meeting());
                    calls.meeting().at(world).callOff();
                }
            });
            try (var _ = calls.begin("the call of the loop")) {
                assertEquals(2L, calls.meeting().settle("a part", () -> world.allReduce(1L, Reduction.SUM)));
            }
            return true;
        });
    }

    @Test
    void onlyTheCallThatALoopExpectsComesToItsMeeting() {
        LocalCluster.run(1, world -> {
            StoreCalls calls = new StoreCalls();
            Meeting loops = new Meeting();
            calls.keptBy(loops);
            for (boolean expected : new boolean[]{true, false, true}) {
                if (expected) {
                    calls.expect(world);
                }
                try (var _ = calls.begin("a call")) {
                    assertEquals(expected, loops.equals(calls.meeting()));
                    calls.meeting().callOff();
                }
            }
            return true;
        });
    }
}
