package org.restorej.comm.testing.mpi;

import static org.restorej.comm.testing.Checks.equal;

import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** Programs for {@link ContractJobsIT}: in each, all ranks count themselves. */
public final class RevivalPrograms implements ContractSuite {
    static final String NOBODY_FAILS = "nobodyFails";

    @Override
    public List<ContractProgram> programs() {
        return List.of(new ContractProgram("theFirstRankFails", 2, world -> die(world, 0)),
                new ContractProgram("theFirstRankFailsAgain", 2, world -> die(world, 0)),
                new ContractProgram("theLastRankFails", 2, world -> die(world, world.size() - 1)),
                new ContractProgram(NOBODY_FAILS, 2, RevivalPrograms::count));
    }

    private static void die(Communicator world, int rank) {
        count(world);
        FailureSimulation.of(world).fail(rank);
        world.revoke();
        try (Communicator survivors = world.shrink()) {
            count(survivors);
        }
    }

    private static void count(Communicator communicator) {
        long[] alive = {1};
        communicator.allReduce(alive, Reduction.SUM);
        equal((long) communicator.size(), alive[0], "ranks alive");
    }
}
