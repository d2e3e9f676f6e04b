package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.CommunicatorRevokedException;

import java.util.List;
import java.util.function.Consumer;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** What becomes of a collective call on arrays to which one PE, the last, has handed in something wrong. */
public final class ArrayArgumentPrograms {
    private ArrayArgumentPrograms() {}

    public static List<ContractProgram> all() {
        return List.of(
                seenByAll("gatherOfAnotherTypeIsSeenByAll", comm -> comm.gather(new double[4], 0),
                        comm -> comm.gather(new int[4], 0), "mine must have the same type"),
                seenByAll("gatherToAnotherRootIsSeenByAll", comm -> comm.gather(new double[4], 0),
                        comm -> comm.gather(new double[4], 1), "root must be the same"),
                program("allGatherOfNoArrayEndsEverywhere", comm -> comm.allGather(new double[4]),
                        comm -> comm.allGather(4), "mine is a java.lang.Integer"),
                seenByAll("allToAllOfAnotherTypeIsSeenByAll", comm -> comm.allToAll(new double[comm.size()][3]),
                        comm -> comm.allToAll(new float[comm.size()][3]), "the type of messages must be the same"),
                seenByAll("broadcastIntoAnotherLengthIsSeenByAll", comm -> comm.broadcast(new double[4], 0),
                        comm -> comm.broadcast(new double[3], 0),
                        "values must be the same on all PEs: double[3] on one, double[4] on another"),
                seenByAll("broadcastIntoAnotherTypeIsSeenByAll", comm -> comm.broadcast(new double[4], 0),
                        comm -> comm.broadcast(new long[4], 0),
                        "the type of values must be the same on all PEs: long[] on one, double[] on another"),
                program("allToAllOfTooFewEndsEverywhere", comm -> comm.allToAll(new double[comm.size()][3]),
                        comm -> comm.allToAll(new double[comm.size() - 1][3]), "messages.length="));
    }

    /** Those in which others may have sent already, so that messages stay where nobody receives them any more. */
    static List<ContractProgram> leavingMessages() {
        return List.of(
                program("broadcastOfSomethingElseEndsEverywhere", comm -> comm.broadcast(new double[4], 0),
                        comm -> comm.broadcast("four", 0), "values is a java.lang.String"),
                program("broadcastFromNobodyEndsEverywhere", comm -> comm.broadcast(new double[4], comm.size() - 1),
                        comm -> comm.broadcast(new double[4], -1), "root=-1"));
    }

    /** All see what is wrong, and go on with the same communicator. */
    private static ContractProgram seenByAll(String name, Consumer<Communicator> right, Consumer<Communicator> wrong,
            String message) {
        return new ContractProgram(name, 2, comm -> {
            throwsAndSays(message, () -> (comm.rank() == comm.size() - 1 ? wrong : right).accept(comm));
            Checks.holds(!comm.isRevoked(), "nothing is revoked");
            Checks.equal(comm.size() * 3L, comm.allReduce(3, Reduction.SUM), "PEs that go on");
        });
    }

    private static void throwsAndSays(String part, Checks.Action action) {
        String said = Checks.throwing(IllegalArgumentException.class, action, part).getMessage();
        Checks.holds(said != null && said.contains(part), "a message with '" + part + "': " + said);
    }

    /** Nobody waits: who has made the mistake says so, all others get the revocation, or have been done before. */
    private static ContractProgram program(String name, Consumer<Communicator> right, Consumer<Communicator> wrong,
            String message) {
        return new ContractProgram(name, 2, comm -> {
            if (comm.rank() == comm.size() - 1) {
                throwsAndSays(message, () -> wrong.accept(comm));
            } else {
                try {
                    right.accept(comm);
                } catch (CommunicatorRevokedException told) {
                    Checks.holds(comm.isRevoked(), "the communicator is revoked");
                }
            }
            try (Communicator all = comm.shrink()) {
                Checks.equal(comm.size() * 3L, all.allReduce(3, Reduction.SUM), "PEs that go on");
            }
        }).ofSurvivors();
    }
}
