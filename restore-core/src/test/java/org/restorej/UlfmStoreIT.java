package org.restorej;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** The store on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmStoreIT {
    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return MpiFlavour.onEach(MpiFlavour.killing(), flavour -> jobs(flavour).tests());
    }

    private static ContractJobs jobs(MpiFlavour flavour) {
        return new ContractJobs(flavour).add(new StorePrograms(), 4)
                .add(new RowPrograms(), 4)
                .add(new ObjectPrograms(), 4).add(new DomainRulePrograms(), 4).add(new AsyncStorePrograms(), 4)
                .addWithDeaths(new FailingStorePrograms(), 4, 8)
                .addWithDeaths(new FailingRowPrograms(), 4, 8).addWithDeaths(new FailingObjectPrograms(), 4)
                .addWithDeaths(new CheckpointLoopPrograms(), 4).addWithDeaths(new HealingStorePrograms(), 4, 8)
                .addWithDeaths(new SpareStorePrograms(), 4, 8).addWithDeaths(new DomainStorePrograms(), 4, 6, 8)
                .addWithDeaths(new FallbackStorePrograms(), 4, 8).addWithDeaths(new ChangingFailurePrograms(), 4, 8)
                .addWithDeaths(new GroupStorePrograms(), 4, 8);
    }
}
