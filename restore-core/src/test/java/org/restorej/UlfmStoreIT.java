package org.restorej;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.objects.FailingObjectPrograms;
import org.restorej.objects.ObjectPrograms;
import org.restorej.rows.FailingRowPrograms;
import org.restorej.rows.RowPrograms;
import org.restorej.testing.Deep;

/** The store on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmStoreIT {
    /** What concerns revocations; the rest is run every day where failures are simulated. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return withoutFailures(MpiFlavour.ULFM).tests();
    }

    /**
     * Each program in which ranks are killed takes a job of its own. The other suites are run every day where failures
     * are simulated.
     */
    @TestFactory
    Stream<DynamicTest> survivesKilledRanks() {
        return withFailuresEveryDay(MpiFlavour.ULFM).firstOfEachSuite();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> survivesKilledRanksInEveryProgram() {
        return withFailures(MpiFlavour.ULFM).tests();
    }

    /** Every program is run on 8 PEs where failures are simulated, which tells the same of the store. */
    @Deep
    @TestFactory
    Stream<DynamicTest> survivesKilledRanksAmongMany() {
        return new ContractJobs(MpiFlavour.ULFM).addWithFailures(new FailingStorePrograms(), 8)
                .addWithFailures(new FailingRowPrograms(), 8).addWithFailures(new HealingStorePrograms(), 8)
                .addWithFailures(new SpareStorePrograms(), 8).addWithFailures(new DomainStorePrograms(), 8)
                .addWithFailures(new FallbackStorePrograms(), 8).addWithFailures(new ChangingFailurePrograms(), 8)
                .addWithFailures(new GroupStorePrograms(), 8).firstOfEachSuite();
    }

    /** Some programs need nodes of two ranks each, or of three. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> survivesKilledNodesInEveryProgram() {
        return new ContractJobs(MpiFlavour.ULFM).addWithFailures(new DomainStorePrograms(), 6).tests();
    }

    private static ContractJobs withoutFailures(MpiFlavour flavour) {
        return new ContractJobs(flavour).add(new StorePrograms(), 4).add(new RowPrograms(), 4)
                .add(new ObjectPrograms(), 4).add(new DomainRulePrograms(), 4).add(new LoneRefusalPrograms(), 4)
                .add(new AsyncStorePrograms(), 4).add(new PendingSubmitPrograms(), 4)
                .add(new CodedStoreProgramsWithoutFailures(), 4);
    }

    private static ContractJobs withFailuresEveryDay(MpiFlavour flavour) {
        return new ContractJobs(flavour).addWithFailures(new FailingStorePrograms(), 4)
                .addWithFailures(new CheckpointLoopPrograms(), 4).addWithFailures(new HealingStorePrograms(), 4);
    }

    private static ContractJobs withFailures(MpiFlavour flavour) {
        return withFailuresEveryDay(flavour).addWithFailures(new SpareStorePrograms(), 4)
                .addWithFailures(new FailingRowPrograms(), 4)
                .addWithFailures(new FailingObjectPrograms(), 4).addWithFailures(new DomainStorePrograms(), 4)
                .addWithFailures(new FallbackStorePrograms(), 4).addWithFailures(new ChangingFailurePrograms(), 4)
                .addWithFailures(new GroupStorePrograms(), 4).addWithFailures(new CodedStorePrograms(), 4);
    }

    /** On other MPIs that survive failures. Their contract is that of communicators, which are all that they differ in. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsItsPromisesOnEveryMpi() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_KILLING,
                flavour -> Stream.concat(withoutFailures(flavour).tests(), withFailures(flavour).firstOfEachSuite()));
    }
}
