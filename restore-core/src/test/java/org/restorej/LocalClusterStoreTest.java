package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.testing.Depth;

/** The store on PEs that are threads. */
class LocalClusterStoreTest {
    /** More than half of them every day. */
    private static List<Integer> sizes(Integer... all) {
        return Depth.some(List.of(all), all.length / 2 + 1, "restorej.ranks.seed");
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(StorePrograms.ALL, sizes(1, 2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenPesDie() {
        return LocalClusterPrograms.tests(FailingStorePrograms.ALL, sizes(2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> healsItself() {
        return LocalClusterPrograms.tests(HealingStorePrograms.ALL, sizes(2, 3, 4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> sparesTakeOver() {
        return LocalClusterPrograms.tests(SpareStorePrograms.ALL, sizes(4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> wholeNodesMayDie() {
        return Stream.concat(LocalClusterPrograms.tests(DomainStorePrograms.ALL, sizes(4, 6, 7, 8)),
                LocalClusterPrograms.tests(DomainRulePrograms.ALL, sizes(2, 4, 6, 7, 8)));
    }

    @TestFactory
    Stream<DynamicTest> theFallbackFillsIn() {
        return LocalClusterPrograms.tests(FallbackStorePrograms.ALL, sizes(2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> blocksMayHaveAnySize() {
        return LocalClusterPrograms.tests(VariableStorePrograms.ALL, sizes(1, 2, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> changesAreSubmittedAlone() {
        return LocalClusterPrograms.tests(ChangingStorePrograms.ALL, sizes(1, 2, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> damageIsFound() {
        return LocalClusterPrograms.tests(CheckedStorePrograms.ALL, sizes(1, 2, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> damageIsFoundWhateverElseHappens() {
        return LocalClusterPrograms.tests(DamageCombinationPrograms.ALL, List.of(4, 5));
    }

    @TestFactory
    Stream<DynamicTest> anyBlocksSurvive() {
        return LocalClusterPrograms.tests(ChangingFailurePrograms.ALL, sizes(3, 4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> rowsOfArraysKeepTheirPromises() {
        return Stream.concat(LocalClusterPrograms.tests(RowPrograms.ALL, sizes(1, 2, 4, 8)),
                LocalClusterPrograms.tests(FailingRowPrograms.ALL, sizes(3, 4, 8)));
    }

    @TestFactory
    Stream<DynamicTest> objectsKeepTheirPromises() {
        return Stream.concat(LocalClusterPrograms.tests(ObjectPrograms.ALL, sizes(1, 2, 4)),
                LocalClusterPrograms.tests(FailingObjectPrograms.ALL, sizes(3, 4, 8)));
    }

    @TestFactory
    Stream<DynamicTest> whateverCallbacksThrowLeavesNobodyWaiting() {
        return LocalClusterPrograms.tests(CallbackPrograms.ALL, sizes(2, 3, 4));
    }

    @TestFactory
    Stream<DynamicTest> groupsHaveStoresOfTheirOwn() {
        return LocalClusterPrograms.tests(GroupStorePrograms.ALL, sizes(4, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackground() {
        return Stream.concat(LocalClusterPrograms.tests(AsyncStorePrograms.ALL, sizes(1, 2, 3, 4, 8)),
                LocalClusterPrograms.tests(PendingSubmitPrograms.ALL, sizes(1, 2, 3, 4, 8)));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackgroundWhenPesDie() {
        return LocalClusterPrograms.tests(AsyncFailingStorePrograms.ALL, sizes(3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> loopsGoBackTogether() {
        return LocalClusterPrograms.tests(CheckpointLoopPrograms.ALL, sizes(3, 4, 8));
    }
}
