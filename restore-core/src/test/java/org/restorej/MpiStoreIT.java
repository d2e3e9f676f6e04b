package org.restorej;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.collective.SparseAllToAllPrograms;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.internal.transfer.ExchangePrograms;
import org.restorej.objects.FailingObjectPrograms;
import org.restorej.objects.ObjectPrograms;
import org.restorej.comm.collective.ReproducibleSumPrograms;
import org.restorej.rows.FailingRowPrograms;
import org.restorej.rows.RowPrograms;
import org.restorej.testing.Deep;

/** The store, its exchanges, the sparse all-to-all and reproducible sums on MPIs where failures are simulated. */
class MpiStoreIT {
    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return onFourRanks(MpiFlavour.OPEN_MPI).tests();
    }

    /** Every day on threads: they are about what the store does on top of the exchanges above. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsFurtherPromises() {
        return withFurtherPromises(new ContractJobs(MpiFlavour.OPEN_MPI)).tests();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnOtherNumbersOfRanks() {
        return new ContractJobs(MpiFlavour.OPEN_MPI).add(new StorePrograms(), 1, 2, 8)
                .add(new SparseAllToAllPrograms(), 1, 2, 8).add(new ExchangePrograms(), 8)
                .add(new AsyncStorePrograms(), 2).add(new PendingSubmitPrograms(), 2)
                .add(new ReproducibleSumPrograms(), 1, 8)
                .addWithFailures(new HealingStorePrograms(), 8).addWithFailures(new SpareStorePrograms(), 8)
                .addWithFailures(new DomainStorePrograms(), 8).addWithFailures(new FallbackStorePrograms(), 8)
                .addWithFailures(new ChangingFailurePrograms(), 8).tests();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnEveryMpi() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_SIMULATING,
                flavour -> withFurtherPromises(onFourRanks(flavour)).tests());
    }

    private static ContractJobs withFurtherPromises(ContractJobs jobs) {
        return jobs.add(new VariableStorePrograms(), 4).add(new ChangingStorePrograms(), 4)
                .add(new CheckedStorePrograms(), 4)
                .add(new CodedStoreProgramsWithoutFailures(), 4)
                .addWithFailures(new SpareStorePrograms(), 4).addWithFailures(new DomainStorePrograms(), 4)
                .addWithFailures(new FallbackStorePrograms(), 4).addWithFailures(new ChangingFailurePrograms(), 4)
                .addWithFailures(new CodedStorePrograms(), 4);
    }

    private static ContractJobs onFourRanks(MpiFlavour flavour) {
        return new ContractJobs(flavour).add(new StorePrograms(), 4).add(new SparseAllToAllPrograms(), 4)
                .add(new ExchangePrograms(), 4).add(new AsyncStorePrograms(), 4).add(new PendingSubmitPrograms(), 4)
                .add(new RowPrograms(), 4).add(new ObjectPrograms(), 4).add(new DomainRulePrograms(), 4)
                .add(new ReproducibleSumPrograms(), 4)
                .addWithFailures(new FailingStorePrograms(), 4)
                .addWithFailures(new FailingRowPrograms(), 4).addWithFailures(new FailingObjectPrograms(), 4)
                .addWithFailures(new CheckpointLoopPrograms(), 4)
                .addWithFailures(new HealingStorePrograms(), 4);
    }
}
