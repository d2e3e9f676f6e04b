package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.SparseAllToAllPrograms;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.internal.transfer.ExchangePrograms;
import org.restorej.testing.Depth;

/**
 * The store, its exchanges and the sparse all-to-all on the Open MPI of this machine, with simulated failures. What is
 * tried on 4 and on 8 ranks is tried on either every day.
 */
class OpenMpiStoreIT {
    private static final List<Integer> LARGE = Depth.some(List.of(4, 8), 1, "restorej.ranks.seed");

    private static final ContractJobs JOBS = new ContractJobs(MpiFlavour.OPEN_MPI)
            .add(new StorePrograms(), sizes(1, 2)).add(new SparseAllToAllPrograms(), sizes(1, 2))
            .add(new ExchangePrograms(), sizes()).add(new VariableStorePrograms(), 4)
            .add(new ChangingStorePrograms(), 4).add(new CheckedStorePrograms(), 4).add(new RowPrograms(), 4)
            .add(new ObjectPrograms(), 4)
            .add(new DomainRulePrograms(), 4).add(new AsyncStorePrograms(), 2, 4)
            .addWithDeaths(new FailingStorePrograms(), 4)
            .addWithDeaths(new FailingRowPrograms(), 4).addWithDeaths(new FailingObjectPrograms(), 4)
            .addWithDeaths(new CheckpointLoopPrograms(), 4).addWithDeaths(new AsyncFailingStorePrograms(), 4)
            .addWithDeaths(new HealingStorePrograms(), 8).addWithDeaths(new SpareStorePrograms(), 8)
            .addWithDeaths(new DomainStorePrograms(), 8).addWithDeaths(new FallbackStorePrograms(), 8)
            .addWithDeaths(new ChangingFailurePrograms(), 8).addWithDeaths(new GroupStorePrograms(), 4, 8);

    private static Integer[] sizes(Integer... small) {
        return Stream.concat(Stream.of(small), LARGE.stream()).toArray(Integer[]::new);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return JOBS.tests(StorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenPesDie() {
        return JOBS.tests(FailingStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> sparseAllToAllKeepsItsPromises() {
        return JOBS.tests(SparseAllToAllPrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> exchangesKeepTheirPromises() {
        return JOBS.tests(ExchangePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> healsItself() {
        return JOBS.tests(HealingStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> sparesTakeOver() {
        return JOBS.tests(SpareStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> wholeNodesMayDie() {
        return Stream.concat(JOBS.tests(DomainStorePrograms.class), JOBS.tests(DomainRulePrograms.class));
    }

    @TestFactory
    Stream<DynamicTest> theFallbackFillsIn() {
        return JOBS.tests(FallbackStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> blocksMayHaveAnySize() {
        return JOBS.tests(VariableStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> changesAreSubmittedAlone() {
        return JOBS.tests(ChangingStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> damageIsFound() {
        return JOBS.tests(CheckedStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> anyBlocksSurvive() {
        return JOBS.tests(ChangingFailurePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> rowsOfArraysKeepTheirPromises() {
        return Stream.concat(JOBS.tests(RowPrograms.class), JOBS.tests(FailingRowPrograms.class));
    }

    @TestFactory
    Stream<DynamicTest> objectsKeepTheirPromises() {
        return Stream.concat(JOBS.tests(ObjectPrograms.class), JOBS.tests(FailingObjectPrograms.class));
    }

    @TestFactory
    Stream<DynamicTest> groupsHaveStoresOfTheirOwn() {
        return JOBS.tests(GroupStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackground() {
        return JOBS.tests(AsyncStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackgroundWhenPesDie() {
        return JOBS.tests(AsyncFailingStorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> loopsGoBackTogether() {
        return JOBS.tests(CheckpointLoopPrograms.class);
    }
}
