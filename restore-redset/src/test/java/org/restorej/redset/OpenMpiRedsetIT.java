package org.restorej.redset;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** Redset on the Open MPI of this machine, each rank with a directory of its own. */
class OpenMpiRedsetIT {
    @TestFactory
    Stream<DynamicTest> agreesWithRedset() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new VectorPrograms()).tests(List.of(3, 4));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new RedsetPrograms()).tests(List.of(2, 5));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenProcessesDie() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new FailingRedsetPrograms()).testsWithDeaths(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> datasetsKeepTheirPromises() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new DatasetPrograms()).tests(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> checkpointsOfBlocksKeepTheirPromises() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new RangeCheckpointPrograms()).tests(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> checkpointsOfBlocksKeepTheirPromisesWhenProcessesDie() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new FailingRangeCheckpointPrograms()).testsWithDeaths(List.of(4));
    }
}
