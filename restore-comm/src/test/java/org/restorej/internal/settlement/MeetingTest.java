package org.restorej.internal.settlement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;

/** Calls that end before their PE has come to where the others wait. */
@Timeout(60)
class MeetingTest {
    private static final String OTHERS = "a part failed: original rank 1 has thrown an exception of its own, and the "
            + "communicator is revoked";

    /** A call whose PE 1 makes a mistake before its part; what it throws. */
    private static String throwEarly(Communicator world, Meeting meeting, Runnable before) {
        return String.valueOf(assertThrows(RuntimeException.class, () -> {
            try (Meeting call = meeting.at(world)) {
                before.run();
                if (world.rank() == 1) {
                    throw new IllegalStateException("a mistake");
                }
                call.settle("a part", () -> world.allReduce(1L, Reduction.SUM));
            }
        }).getMessage());
    }

    @Test
    void whoThrowsBeforeItsPartKeepsNobodyWaiting() {
        LocalCluster.run(3, world -> {
            assertEquals(world.rank() == 1 ? "a mistake" : OTHERS, throwEarly(world, new Meeting(), () -> {}));
            return true;
        });
    }

    @Test
    void theOthersAreMetOnceAlsoWhereTheCallThrowsAfterThat() {
        LocalCluster.run(2, world -> {
            Meeting meeting = new Meeting();
            assertThrows(IllegalStateException.class, () -> {
                try (Meeting call = meeting.at(world)) {
                    call.settle("a part", () -> true);
                    throw new IllegalStateException("a mistake");
                }
            });
            assertEquals(2L, world.allReduce(1L, Reduction.SUM), "nobody has revoked it");
            return true;
        });
    }

    @Test
    void whatAllThrowAlikeCallsTheMeetingOff() {
        LocalCluster.run(2, world -> {
            Meeting meeting = new Meeting();
            assertThrows(IllegalStateException.class, () -> {
                try (Meeting call = meeting.at(world)) {
                    call.callOff();
                    throw new IllegalStateException("as on all PEs");
                }
            });
            assertEquals(2L, world.allReduce(1L, Reduction.SUM), "nobody has revoked it");
            return true;
        });
    }

    /** Of a call that goes on in the background: the one that began it has nothing more to do with it. */
    @Test
    void aMeetingThatIsHandedOverIsLeftByWhoeverHasIt() {
        LocalCluster.run(3, world -> {
            Meeting ofTheCall = new Meeting();
            Meeting own = new Meeting();
            assertEquals(world.rank() == 1 ? "a mistake" : OTHERS, throwEarly(world, own, () -> {
                try (Meeting call = ofTheCall.at(world)) {
                    call.handOverTo(own);
                }
            }));
            return true;
        });
    }
}
