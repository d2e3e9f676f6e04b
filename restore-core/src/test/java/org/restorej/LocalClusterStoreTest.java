package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;

/** The store on PEs that are threads. */
class LocalClusterStoreTest {
    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(StorePrograms.ALL, List.of(1, 2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenPesDie() {
        return LocalClusterPrograms.tests(FailingStorePrograms.ALL, List.of(2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> healsItself() {
        return LocalClusterPrograms.tests(HealingStorePrograms.ALL, List.of(2, 3, 4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> sparesTakeOver() {
        return LocalClusterPrograms.tests(SpareStorePrograms.ALL, List.of(4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> wholeNodesMayDie() {
        return Stream.concat(LocalClusterPrograms.tests(DomainStorePrograms.ALL, List.of(4, 6, 7, 8)),
                LocalClusterPrograms.tests(DomainRulePrograms.ALL, List.of(2, 4, 6, 7, 8)));
    }

    @TestFactory
    Stream<DynamicTest> theFallbackFillsIn() {
        return LocalClusterPrograms.tests(FallbackStorePrograms.ALL, List.of(2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> blocksMayHaveAnySize() {
        return LocalClusterPrograms.tests(VariableStorePrograms.ALL, List.of(1, 2, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> changesAreSubmittedAlone() {
        return LocalClusterPrograms.tests(ChangingStorePrograms.ALL, List.of(1, 2, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> damageIsFound() {
        return LocalClusterPrograms.tests(CheckedStorePrograms.ALL, List.of(1, 2, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> anyBlocksSurvive() {
        return LocalClusterPrograms.tests(ChangingFailurePrograms.ALL, List.of(3, 4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> rowsOfArraysKeepTheirPromises() {
        return Stream.concat(LocalClusterPrograms.tests(RowPrograms.ALL, List.of(1, 2, 4, 8)),
                LocalClusterPrograms.tests(FailingRowPrograms.ALL, List.of(3, 4, 8)));
    }

    @TestFactory
    Stream<DynamicTest> objectsKeepTheirPromises() {
        return Stream.concat(LocalClusterPrograms.tests(ObjectPrograms.ALL, List.of(1, 2, 4)),
                LocalClusterPrograms.tests(FailingObjectPrograms.ALL, List.of(3, 4, 8)));
    }

    @TestFactory
    Stream<DynamicTest> whateverCallbacksThrowLeavesNobodyWaiting() {
        return LocalClusterPrograms.tests(CallbackPrograms.ALL, List.of(2, 3, 4));
    }

    @TestFactory
    Stream<DynamicTest> groupsHaveStoresOfTheirOwn() {
        return LocalClusterPrograms.tests(GroupStorePrograms.ALL, List.of(4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackground() {
        return LocalClusterPrograms.tests(AsyncStorePrograms.ALL, List.of(1, 2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackgroundWhenPesDie() {
        return LocalClusterPrograms.tests(AsyncFailingStorePrograms.ALL, List.of(3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> loopsGoBackTogether() {
        return LocalClusterPrograms.tests(CheckpointLoopPrograms.ALL, List.of(3, 4, 8));
    }
}
