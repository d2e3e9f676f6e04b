package org.restorej.redset;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** Redset on MPIs where failures are simulated, each rank with a directory of its own. */
class MpiRedsetIT {
    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return onFourRanks(MpiFlavour.OPEN_MPI).tests();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnOtherNumbersOfRanks() {
        return new ContractJobs(MpiFlavour.OPEN_MPI).add(new RedsetPrograms(), 2, 5).tests();
    }

    /** Every day on threads: how ranks talk makes no difference to them. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOfDatasetsAndFilesOfOthers() {
        return withDatasets(new ContractJobs(MpiFlavour.OPEN_MPI)).tests();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnEveryMpi() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_SIMULATING,
                flavour -> withDatasets(onFourRanks(flavour)).tests());
    }

    private static ContractJobs withDatasets(ContractJobs jobs) {
        return jobs.add(new DatasetPrograms(), 4).add(new RangeCheckpointPrograms(), 4).add(new VectorPrograms(), 4)
                .addWithFailures(new FailingRangeCheckpointPrograms(), 4);
    }

    private static ContractJobs onFourRanks(MpiFlavour flavour) {
        return new ContractJobs(flavour).add(new RedsetPrograms(), 4).addWithFailures(new FailingRedsetPrograms(), 4);
    }
}
