package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.objects.FailingObjectPrograms;
import org.restorej.objects.ObjectPrograms;
import org.restorej.rows.FailingRowPrograms;
import org.restorej.rows.RowPrograms;

/** The store on PEs that are threads. */
class LocalClusterStoreTest {
    /** On the first and the third of these numbers of PEs; on all of them in a deep run. */
    Stream<DynamicTest> tests(List<ContractProgram> programs, Integer... sizes) {
        return LocalClusterPrograms.tests(programs,
                Stream.of(0, 2).filter(i -> i < sizes.length).map(i -> sizes[i]).toList());
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return tests(StorePrograms.ALL, 1, 2, 3, 4, 8);
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenPesDie() {
        return tests(FailingStorePrograms.ALL, 2, 3, 4, 8);
    }

    @TestFactory
    Stream<DynamicTest> healsItself() {
        return tests(HealingStorePrograms.ALL, 2, 3, 4, 5, 8);
    }

    @TestFactory
    Stream<DynamicTest> codedBlocksSurvive() {
        return tests(CodedStorePrograms.ALL, 2, 3, 4, 5, 8);
    }

    @TestFactory
    Stream<DynamicTest> sparesTakeOver() {
        return tests(SpareStorePrograms.ALL, 4, 5, 8);
    }

    @TestFactory
    Stream<DynamicTest> wholeNodesMayDie() {
        return Stream.concat(tests(DomainStorePrograms.ALL, 4, 6, 7, 8),
                tests(DomainRulePrograms.ALL, 2, 4, 6, 7, 8));
    }

    @TestFactory
    Stream<DynamicTest> theFallbackFillsIn() {
        return tests(FallbackStorePrograms.ALL, 2, 3, 4, 8);
    }

    @TestFactory
    Stream<DynamicTest> blocksMayHaveAnySize() {
        return tests(VariableStorePrograms.ALL, 1, 2, 4, 8);
    }

    @TestFactory
    Stream<DynamicTest> changesAreSubmittedAlone() {
        return tests(ChangingStorePrograms.ALL, 1, 2, 4, 8);
    }

    @TestFactory
    Stream<DynamicTest> damageIsFound() {
        return tests(CheckedStorePrograms.ALL, 1, 2, 4, 8);
    }

    @TestFactory
    Stream<DynamicTest> anyBlocksSurvive() {
        return tests(ChangingFailurePrograms.ALL, 3, 4, 5, 8);
    }

    @TestFactory
    Stream<DynamicTest> rowsOfArraysKeepTheirPromises() {
        return Stream.concat(tests(RowPrograms.ALL, 1, 2, 4, 8),
                tests(FailingRowPrograms.ALL, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> objectsKeepTheirPromises() {
        return Stream.concat(tests(ObjectPrograms.ALL, 1, 2, 4),
                tests(FailingObjectPrograms.ALL, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> whateverCallbacksThrowLeavesNobodyWaiting() {
        return tests(CallbackPrograms.ALL, 2, 3, 4);
    }

    @TestFactory
    Stream<DynamicTest> whatOnePeAloneDoesWrongLeavesNobodyWaiting() {
        return LocalClusterPrograms.tests(new LoneRefusalPrograms().programs(), List.of(3));
    }

    @TestFactory
    Stream<DynamicTest> groupsHaveStoresOfTheirOwn() {
        return tests(GroupStorePrograms.ALL, 4, 5, 8);
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackground() {
        return Stream.concat(tests(AsyncStorePrograms.ALL, 1, 2, 3, 4, 8),
                tests(PendingSubmitPrograms.ALL, 1, 2, 3, 4, 8));
    }

    @TestFactory
    Stream<DynamicTest> submitsInTheBackgroundWhenPesDie() {
        return tests(AsyncFailingStorePrograms.ALL, 3, 4, 8);
    }

    @TestFactory
    Stream<DynamicTest> loopsGoBackTogether() {
        return tests(CheckpointLoopPrograms.ALL, 3, 4, 8);
    }
}
