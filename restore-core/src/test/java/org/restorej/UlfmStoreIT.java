package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.mpi.OpenMpi;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** The store on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmStoreIT {
    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return new ContractJobs(MpiFlavour.ULFM, new StorePrograms()).tests(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenPesDie() {
        return new ContractJobs(MpiFlavour.ULFM, new FailingStorePrograms()).testsWithDeaths(List.of(4, 8));
    }

    @TestFactory
    Stream<DynamicTest> healsItself() {
        return new ContractJobs(MpiFlavour.ULFM, new HealingStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> sparesTakeOver() {
        return new ContractJobs(MpiFlavour.ULFM, new SpareStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> wholeNodesMayDie() {
        return new ContractJobs(MpiFlavour.ULFM, new DomainStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> theFallbackFillsIn() {
        return new ContractJobs(MpiFlavour.ULFM, new FallbackStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> anyBlocksSurvive() {
        return new ContractJobs(MpiFlavour.ULFM, new ChangingFailurePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> rowsOfArraysKeepTheirPromises() {
        return Stream.concat(new ContractJobs(MpiFlavour.ULFM, new RowPrograms()).tests(List.of(4)),
                new ContractJobs(MpiFlavour.ULFM, new FailingRowPrograms()).testsWithDeaths(List.of(4, 8)));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackground() {
        return new ContractJobs(MpiFlavour.ULFM, new AsyncStorePrograms()).threads(OpenMpi.ThreadLevel.MULTIPLE)
                .tests(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackgroundWhenPesDie() {
        return new ContractJobs(MpiFlavour.ULFM, new AsyncFailingStorePrograms())
                .threads(OpenMpi.ThreadLevel.MULTIPLE).testsWithDeaths(List.of(4));
    }
}
