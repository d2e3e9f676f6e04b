package org.restorej.comm;

import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.awaitEnvelope;
import static org.restorej.comm.testing.Messages.bytes;

import java.util.List;
import java.util.function.Consumer;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** What {@link Communicator#revoke} promises to PEs that wait for one who has given up, although nobody has died. */
final class RevocationPrograms {
    private RevocationPrograms() {}

    static List<ContractProgram> all() {
        return List.of(
                program("revokeEndsAReceive", comm -> await(comm.iReceive(bytes(8), 0, 1))),
                program("revokeEndsAProbe", comm -> awaitEnvelope(comm, 1)),
                program("revokeEndsABarrier", comm -> await(comm.iBarrier())),
                program("revokeEndsAReduction", comm -> comm.allReduce(new long[3], Reduction.SUM)),
                program("revokeEndsAGather", comm -> comm.allGather(bytes(8), bytes(8L * comm.size()))),
                program("revokeEndsADuplication", Communicator::duplicate),
                new ContractProgram("aLateRevocationOfAClosedCommunicatorIsNothing", 2, RevocationPrograms::late));
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

    private static void late(Communicator comm) {
        Communicator closed = comm.duplicate();
        try {
            await(closed.iBarrier());
        } catch (CommunicatorRevokedException early) {
            Checks.holds(comm.rank() != 0, "the first PE may leave the barrier before others, and revokes then");
        }
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
