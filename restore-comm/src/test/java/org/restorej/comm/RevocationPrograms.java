package org.restorej.comm;

import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.awaitEnvelope;
import static org.restorej.comm.testing.Messages.bytes;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** What {@link Communicator#revoke} promises to PEs that wait for one who has given up, although nobody has failed. */
final class RevocationPrograms {
    private static final int ROUNDS = 30;
    private static final long DELAY_NANOS = 10_000;
    /** No MPI sends so much before it is received. */
    private static final long LONG_BYTES = 1 << 20;

    private RevocationPrograms() {}

    static List<ContractProgram> all() {
        return List.of(
                new ContractProgram("aRevocationIsNoFailure", 1, RevocationPrograms::isNoFailure),
                program("revokeEndsAReceive", comm -> await(comm.iReceive(bytes(8), 0, 1))),
                program("revokeEndsAProbe", comm -> awaitEnvelope(comm, 1)),
                program("revokeEndsABarrier", comm -> await(comm.iBarrier())),
                program("revokeEndsAReduction", comm -> comm.allReduce(new long[3], Reduction.SUM)),
                program("revokeEndsAGather", comm -> comm.allGather(bytes(8), bytes(8L * comm.size()))),
                program("revokeEndsADuplication", Communicator::duplicate),
                new ContractProgram("revokeEndsALongSendToAPeInABarrier", 2, comm -> longSend(comm, false)),
                new ContractProgram("revokeEndsALongSendToAPeThatHasClosed", 2, comm -> longSend(comm, true)),
                new ContractProgram("revokeEndsAGatherWheneverItComes", 2, RevocationPrograms::whenever),
                new ContractProgram("aLateRevocationOfAClosedCommunicatorIsNothing", 2, RevocationPrograms::late))
                .stream().map(ContractProgram::ofSurvivors).toList();
    }

    private static void isNoFailure(Communicator comm) {
        if (comm.rank() == 0) {
            comm.revoke();
        }
        // On a PE that is told late the receive waits when the news comes.
        Checks.throwing(CommunicatorRevokedException.class, () -> await(comm.iReceive(bytes(8), 0, 1)), "receive");
        Checks.throwing(CommunicatorRevokedException.class, () -> await(comm.iBarrier()), "barrier after revoke");
        Checks.throwing(CommunicatorRevokedException.class, () -> awaitEnvelope(comm, 1), "probe after revoke");
        Checks.equal(new Agreement(1, false), comm.agree(comm.rank() == 0 ? 1 : 3), "agreement after revoke");
        try (Communicator shrunk = comm.shrink()) {
            Checks.equal(comm.ranks(), shrunk.ranks(), "ranks after revoke and shrink");
            Checks.holds(!shrunk.isRevoked(), "the new communicator is not revoked");
            await(shrunk.iBarrier());
        }
    }

    private static ContractProgram program(String name, Consumer<Communicator> waiting) {
        return new ContractProgram(name, 2, comm -> interrupted(comm, () -> waiting.accept(comm)));
    }

    /** All but one wait for that one, which has a mistake of its own and revokes. */
    private static void interrupted(Communicator comm, Checks.Action waiting) {
        if (comm.rank() == 0) {
            comm.revoke();
        } else {
            Checks.throwing(CommunicatorRevokedException.class, waiting, "an operation that the first PE never enters");
            Checks.holds(comm.isRevoked(), "the communicator is revoked");
        }
        try (Communicator all = comm.shrink()) {
            Checks.equal(comm.ranks(), all.ranks(), "ranks after revoke and shrink");
            await(all.iBarrier());
        }
    }

    /**
     * The first PE never receives what the last one sends it on a copy, which it revokes. It goes on with the original,
     * where the last one comes, too, as soon as it has its memory back.
     */
    private static void longSend(Communicator comm, boolean closes) {
        Communicator fresh = duplicateOnAll(comm);
        if (comm.rank() == comm.size() - 1) {
            sendUnlessRevoked(fresh, bytes(LONG_BYTES));
        } else if (comm.rank() == 0) {
            fresh.revoke();
        }
        if (closes) {
            fresh.close();
            Checks.equal(1, comm.agree(1).flags(), "agreement on the original");
        } else {
            comm.barrier();
            fresh.close();
        }
    }

    /** A revocation right behind would be one in the duplication to others. */
    private static Communicator duplicateOnAll(Communicator comm) {
        Communicator copy = comm.duplicate();
        comm.agree(1);
        return copy;
    }

    /** It may have been received before the news comes, by whom nobody knows. */
    private static void sendUnlessRevoked(Communicator comm, MemorySegment message) {
        try {
            comm.iSend(message, 0, 1).await();
        } catch (CommunicatorRevokedException told) {
            Checks.holds(comm.isRevoked(), "the communicator is revoked");
        }
    }

    /** No gather returns without what the first PE would have given, however far the others have come. */
    private static void whenever(Communicator comm) {
        for (int round = 0; round < ROUNDS; round++) {
            try (Communicator fresh = comm.duplicate()) {
                awaitUnlessRevoked(fresh.iBarrier(), comm.rank());
                if (comm.rank() == 0) {
                    LockSupport.parkNanos(round * DELAY_NANOS);
                    fresh.revoke();
                } else {
                    Checks.throwing(CommunicatorRevokedException.class,
                            () -> fresh.allGather(bytes(8), bytes(8L * comm.size())), "round " + round);
                }
            }
        }
    }

    private static void awaitUnlessRevoked(Request barrier, int rank) {
        try {
            await(barrier);
        } catch (CommunicatorRevokedException early) {
            Checks.holds(rank != 0, "the first PE may leave the barrier before others, and revokes then");
        }
    }

    private static void late(Communicator comm) {
        Communicator closed = comm.duplicate();
        awaitUnlessRevoked(closed.iBarrier(), comm.rank());
        if (comm.rank() == 0) {
            closed.revoke();
        }
        closed.close();
        for (int round = 0; round < 50; round++) {
            try (Communicator next = comm.duplicate()) {
                await(next.iBarrier());
                Checks.holds(!next.isRevoked(), "a new communicator is not revoked");
            }
        }
    }
}
