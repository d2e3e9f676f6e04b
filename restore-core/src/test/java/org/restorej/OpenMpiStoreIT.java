package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.exchange.ExchangePrograms;
import org.restorej.exchange.SparseAllToAllPrograms;

/** The store, its exchanges and the sparse all-to-all on the Open MPI of this machine, with simulated failures. */
class OpenMpiStoreIT {
    private static final List<Integer> SIZES = List.of(1, 2, 4, 8);

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new StorePrograms()).tests(SIZES);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenPesDie() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new FailingStorePrograms()).testsWithDeaths(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> sparseAllToAllKeepsItsPromises() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new SparseAllToAllPrograms()).tests(SIZES);
    }

    @TestFactory
    Stream<DynamicTest> exchangesKeepTheirPromises() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new ExchangePrograms()).tests(List.of(4, 8));
    }

    @TestFactory
    Stream<DynamicTest> healsItself() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new HealingStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> sparesTakeOver() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new SpareStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> wholeNodesMayDie() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new DomainStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> theFallbackFillsIn() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new FallbackStorePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> blocksMayHaveAnySize() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new VariableStorePrograms()).tests(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> changesAreSubmittedAlone() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new ChangingStorePrograms()).tests(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> damageIsFound() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new CheckedStorePrograms()).tests(List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> anyBlocksSurvive() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new ChangingFailurePrograms()).testsWithDeaths(List.of(8));
    }

    @TestFactory
    Stream<DynamicTest> rowsOfArraysKeepTheirPromises() {
        return Stream.concat(new ContractJobs(MpiFlavour.OPEN_MPI, new RowPrograms()).tests(List.of(4)),
                new ContractJobs(MpiFlavour.OPEN_MPI, new FailingRowPrograms()).testsWithDeaths(List.of(4)));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackground() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new AsyncStorePrograms()).tests(List.of(2, 4));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackgroundWhenPesDie() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new AsyncFailingStorePrograms()).testsWithDeaths(List.of(4));
    }
}
