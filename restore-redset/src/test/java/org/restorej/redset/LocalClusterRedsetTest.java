package org.restorej.redset;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;

/** Redset on PEs that are threads. */
class LocalClusterRedsetTest {
    @TestFactory
    Stream<DynamicTest> agreesWithRedset() {
        return LocalClusterPrograms.tests(VectorPrograms.ALL, List.of(3, 4));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(RedsetPrograms.ALL, List.of(1, 2, 3, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenProcessesDie() {
        return LocalClusterPrograms.tests(FailingRedsetPrograms.ALL, List.of(3, 4));
    }

    @TestFactory
    Stream<DynamicTest> datasetsKeepTheirPromises() {
        return LocalClusterPrograms.tests(DatasetPrograms.ALL, List.of(1, 2, 3, 5));
    }
}
