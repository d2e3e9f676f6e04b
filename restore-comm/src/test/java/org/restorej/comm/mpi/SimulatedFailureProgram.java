package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.program.Background;

/**
 * Two PEs fail by simulation, one after the other, rank 0 second, with messages under way that nobody receives; the
 * others go on each time and say so.
 */
public final class SimulatedFailureProgram {
    private static final int TAG = 7;

    /** Far beyond what MPI sends eagerly, so that a send stays pending until somebody receives it. */
    private static final int MESSAGE_BYTES = 1 << 20;

    private SimulatedFailureProgram() {}

    /** Runs on at least 3 ranks. */
    public static void main(String[] args) {
        Communicator last = Mpi.world(args);
        System.out.println(Mpi.description());
        Communicator kept = last.duplicate();
        try {
            requireRefusedInGroup(last);
            last = loseOne(last, last.size() - 1);
            last = loseOne(last, 0);
            System.out.println("survived as " + last.rank() + " of " + last.size() + ", absent "
                    + last.ranks().absentRanks());
        } catch (SimulatedFailureError failed) {
            requireFailed(kept::iBarrier);
            requireFailed(() -> kept.iAgree(1));
            kept.close();
            System.out.println("failed: " + failed.getMessage());
        }
        Mpi.finish(last);
        System.out.println("finished");
    }

    private static void requireRefusedInGroup(Communicator all) {
        Communicator group = all.split(all.rank() == 0 ? 0 : 1).orElseThrow();
        try {
            FailureSimulation.of(group).fail(0);
            throw new AssertionError("only all together can make ranks fail");
        } catch (UnsupportedOperationException refused) {
            System.out.println(refused.getMessage());
        }
        group.close();
    }

    private static Communicator loseOne(Communicator before, int victim) {
        // What a library of the application keeps for itself learns of the failure, too.
        Communicator duplicate = before.duplicate();
        Arena arena = Arena.ofShared();
        MemorySegment message = arena.allocate(MESSAGE_BYTES);
        int next = (before.rank() + 1) % before.size();
        Request unreceived = duplicate.iSsend(message, next, TAG);
        Request unsent = duplicate.iReceive(arena.allocate(MESSAGE_BYTES), next, TAG + 1);
        int[] stepsLeft = {100};
        Background.ofThread().add(new Runnable() {
            @Override
            public void run() {
                if (--stepsLeft[0] == 0) {
                    Background.ofThread().remove(this);
                }
            }
        });
        try {
            FailureSimulation.of(before).fail(victim);
        } catch (SimulatedFailureError failure) {
            requireFailed(unsent::test);
            requireFailed(unreceived::test);
            arena.close();
            throw failure;
        }
        if (stepsLeft[0] != 0) {
            throw new AssertionError("what is in the background ends first: " + stepsLeft[0]);
        }
        for (Supplier<?> call : List.<Supplier<?>>of(unsent::test, () -> duplicate.iProbe(TAG),
                () -> duplicate.iSend(message, next, TAG), before::iBarrier, duplicate::duplicate)) {
            requireTold(call, before, victim);
        }
        arena.close();
        duplicate.revoke();
        Agreement agreement = duplicate.agree(2 | before.rank());
        if (!agreement.equals(new Agreement(0, true))) {
            throw new AssertionError("wrong agreement: " + agreement);
        }
        Communicator after = before.shrink();
        before.close();
        duplicate.close();
        long[] sum = {1};
        after.allReduce(sum, Reduction.SUM);
        if (sum[0] != after.size() || after.size() != before.size() - 1) {
            throw new AssertionError("wrong size: " + sum[0] + " of " + after.ranks());
        }
        return after;
    }

    /** A PE that has failed hears of nothing else, so that it doesn't begin to recover. */
    private static void requireFailed(Supplier<?> call) {
        try {
            var _ = call.get();
        } catch (SimulatedFailureError expected) {
            return;
        }
        throw new AssertionError("a call of a failed PE must throw that it has failed");
    }

    private static void requireTold(Supplier<?> call, Communicator before, int victim) {
        try {
            var _ = call.get();
            throw new AssertionError("a call on a communicator with a failed rank must fail");
        } catch (ProcessFailedException failure) {
            if (failure.failedRanks().size() != 1
                    || failure.failedRanks().first().value() != before.ranks().originalRankOf(victim)) {
                throw new AssertionError("wrong failed ranks: victim=" + victim + ", ranks=" + before.ranks(), failure);
            }
        }
    }
}
