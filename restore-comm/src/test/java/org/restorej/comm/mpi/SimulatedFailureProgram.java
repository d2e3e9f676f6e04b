package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

/** Two PEs die by simulation, one after the other, rank 0 second; the others go on each time and say so. */
public final class SimulatedFailureProgram {
    private static final int TAG = 7;

    /** Far beyond what MPI sends eagerly, so that a send stays pending until somebody receives it. */
    private static final long MESSAGE_BYTES = 1 << 20;

    private SimulatedFailureProgram() {}

    /** Runs on at least 3 ranks. */
    public static void main(String[] args) {
        Communicator last = Mpi.world(args);
        System.out.println(Mpi.description());
        Communicator revoked = last.duplicate();
        revoked.revoke();
        // Never decided, since those who survive don't begin it.
        Optional<PendingAgreement> begun = last.rank() == 0 || last.rank() == last.size() - 1
                ? Optional.of(revoked.iAgree(1))
                : Optional.empty();
        try {
            last = loseOne(last, last.size() - 1);
            last = loseOne(last, 0);
            System.out.println("survived as " + last.rank() + " of " + last.size() + ", absent "
                    + last.ranks().absentRanks());
        } catch (SimulatedFailureError dead) {
            requireFailed(revoked::iBarrier);
            requireFailed(begun.orElseThrow()::test);
            System.out.println("died: " + dead.getMessage());
        }
        Mpi.finish(last);
        System.out.println("finished");
    }

    private static Communicator loseOne(Communicator before, int victim) {
        // What a library of the application keeps for itself learns of the death, too.
        Communicator duplicate = before.duplicate();
        FailureSimulation.of(before).fail(victim);
        try (Arena arena = Arena.ofConfined()) {
            List<Request> pending = new ArrayList<>();
            try {
                MemorySegment message = arena.allocate(MESSAGE_BYTES);
                for (int peer = 0; peer < before.size(); peer++) {
                    if (peer != victim) {
                        pending.add(duplicate.iSsend(message, peer, TAG));
                    }
                }
                duplicate.probe(TAG);
                throw new AssertionError("a probe for messages of anybody, one of whom is dead, must fail");
            } catch (ProcessFailedException expected) {
                requireFailed(before, victim, expected);
            }
            duplicate.revoke();
            pending.forEach(Request::cancel);
        }
        Agreement agreement = before.agree(2 | before.rank());
        if (!agreement.processFailed() || (agreement.flags() & 2) == 0) {
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

    private static void requireFailed(Communicator before, int victim, ProcessFailedException failure) {
        if (failure.failedRanks().size() != 1
                || failure.failedRanks().first().value() != before.ranks().originalRankOf(victim)) {
            throw new AssertionError("wrong failed ranks: victim=" + victim + ", ranks=" + before.ranks(), failure);
        }
    }
}
