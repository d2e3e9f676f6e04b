package org.restorej;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** The store on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmStoreIT {
    private static final ContractJobs JOBS = new ContractJobs(MpiFlavour.ULFM).add(new StorePrograms(), 4)
            .add(new RowPrograms(), 4).add(new ObjectPrograms(), 4).add(new DomainRulePrograms(), 4)
            .add(new AsyncStorePrograms(), 4)
            .addWithDeaths(new FailingStorePrograms(), 4, 8)
            .addWithDeaths(new FailingObjectPrograms(), 4).addWithDeaths(new FailingRowPrograms(), 4, 8)
            .addWithDeaths(new HealingStorePrograms(), 4, 8)
            .addWithDeaths(new SpareStorePrograms(), 4, 8).addWithDeaths(new DomainStorePrograms(), 4, 6, 8)
            .addWithDeaths(new FallbackStorePrograms(), 4, 8).addWithDeaths(new ChangingFailurePrograms(), 4, 8);

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return JOBS.tests(StorePrograms.class);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenPesDie() {
        return JOBS.tests(FailingStorePrograms.class);
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
    Stream<DynamicTest> submitsInTheBackground() {
        return JOBS.tests(AsyncStorePrograms.class);
    }
}
