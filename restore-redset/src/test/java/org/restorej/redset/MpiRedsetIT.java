package org.restorej.redset;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Depth;

/** Redset on MPIs where failures are simulated, each rank with a directory of its own. */
class MpiRedsetIT {
    /** How many suites are run every day on an MPI that fewer programs will use. */
    private static final int SUITES_ELSEWHERE = 3;

    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return MpiFlavour.onEach(MpiFlavour.simulating(), flavour -> flavour == MpiFlavour.OPEN_MPI
                ? jobs(flavour).tests()
                : jobs(flavour).tests(SUITES_ELSEWHERE));
    }

    private static ContractJobs jobs(MpiFlavour flavour) {
        return new ContractJobs(flavour)
                .add(new VectorPrograms(), vectorSizes())
                .add(new RedsetPrograms(), 2, 5).add(new ScrPrograms(), 4).add(new ScrVectorPrograms(), 4)
                .add(new DatasetPrograms(), 4)
                .add(new RangeCheckpointPrograms(), 4)
                .addWithDeaths(new FailingRedsetPrograms(), 4).addWithDeaths(new FailingRangeCheckpointPrograms(), 4);
    }

    /** One every day; threads have the other one. */
    private static Integer[] vectorSizes() {
        return Depth.some(List.of(4, 3), 1, "restorej.ranks.seed").toArray(Integer[]::new);
    }
}
