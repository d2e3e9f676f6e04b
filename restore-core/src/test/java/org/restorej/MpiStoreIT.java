package org.restorej;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.SparseAllToAllPrograms;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.internal.transfer.ExchangePrograms;
import org.restorej.testing.Deep;

/** The store, its exchanges and the sparse all-to-all on MPIs where failures are simulated. */
class MpiStoreIT {
    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return jobs(MpiFlavour.OPEN_MPI, 8).add(new StorePrograms(), 1, 2, 4)
                .add(new SparseAllToAllPrograms(), 1, 2, 4).add(new ExchangePrograms(), 4)
                .add(new AsyncStorePrograms(), 2, 4).add(new PendingSubmitPrograms(), 2, 4)
                .addWithDeaths(new GroupStorePrograms(), 4, 8).tests();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnManyRanks() {
        return new ContractJobs(MpiFlavour.OPEN_MPI).add(new StorePrograms(), 8)
                .add(new SparseAllToAllPrograms(), 8).add(new ExchangePrograms(), 8).tests();
    }

    /** Most of these start 8 ranks slowly, and what they do on 8 they do on 4. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnEveryMpi() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_SIMULATING,
                flavour -> jobs(flavour, 4).add(new StorePrograms(), 4).add(new SparseAllToAllPrograms(), 4)
                        .add(new ExchangePrograms(), 4).add(new AsyncStorePrograms(), 4)
                        .add(new PendingSubmitPrograms(), 4).addWithDeaths(new GroupStorePrograms(), 4).tests());
    }

    private static ContractJobs jobs(MpiFlavour flavour, int many) {
        return new ContractJobs(flavour).add(new VariableStorePrograms(), 4).add(new ChangingStorePrograms(), 4)
                .add(new CheckedStorePrograms(), 4).add(new RowPrograms(), 4).add(new ObjectPrograms(), 4)
                .add(new DomainRulePrograms(), 4).add(new LoneRefusalPrograms(), 4)
                .addWithDeaths(new FailingStorePrograms(), 4)
                .addWithDeaths(new FailingRowPrograms(), 4).addWithDeaths(new FailingObjectPrograms(), 4)
                .addWithDeaths(new CheckpointLoopPrograms(), 4).addWithDeaths(new AsyncFailingStorePrograms(), 4)
                .addWithDeaths(new HealingStorePrograms(), many).addWithDeaths(new SpareStorePrograms(), many)
                .addWithDeaths(new DomainStorePrograms(), many).addWithDeaths(new FallbackStorePrograms(), many)
                .addWithDeaths(new ChangingFailurePrograms(), many)
                .addWithDeaths(new DamageCombinationPrograms(), 4);
    }
}
