package org.restorej.redset;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Depth;

/** Redset on the Open MPI of this machine, each rank with a directory of its own. */
class OpenMpiRedsetIT {
    private static final ContractJobs JOBS = new ContractJobs(MpiFlavour.OPEN_MPI)
            .add(new VectorPrograms(), vectorSizes())
            .add(new RedsetPrograms(), 2, 5).add(new DatasetPrograms(), 4).add(new RangeCheckpointPrograms(), 4)
            .addWithDeaths(new FailingRedsetPrograms(), 4).addWithDeaths(new FailingRangeCheckpointPrograms(), 4);

    /** One every day; threads have the other one. */
    private static Integer[] vectorSizes() {
        return Depth.some(List.of(4, 3), 1, "restorej.ranks.seed").toArray(Integer[]::new);
    }

    @TestFactory
    Stream<DynamicTest> agreesWithRedset() {
        return JOBS.tests(VectorPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return JOBS.tests(RedsetPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenProcessesDie() {
        return JOBS.tests(FailingRedsetPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> datasetsKeepTheirPromises() {
        return JOBS.tests(DatasetPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> checkpointsOfBlocksKeepTheirPromises() {
        return JOBS.tests(RangeCheckpointPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> checkpointsOfBlocksKeepTheirPromisesWhenProcessesDie() {
        return JOBS.tests(FailingRangeCheckpointPrograms.class);
    }
}
