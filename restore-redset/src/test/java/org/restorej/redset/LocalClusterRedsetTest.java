package org.restorej.redset;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.LocalClusterPrograms;

/** Redset on PEs that are threads. */
class LocalClusterRedsetTest {
    /** On these numbers of ranks every day, and also on others in a deep run. */
    Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> ranks, List<Integer> deeply) {
        return LocalClusterPrograms.tests(programs, ranks);
    }

    @TestFactory
    Stream<DynamicTest> agreesWithRedset() {
        return tests(VectorPrograms.ALL, List.of(3), List.of(4));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return tests(RedsetPrograms.ALL, List.of(2, 5), List.of(1, 8));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenProcessesDie() {
        return tests(FailingRedsetPrograms.ALL, List.of(3, 4), List.of());
    }

    @TestFactory
    Stream<DynamicTest> datasetsKeepTheirPromises() {
        return tests(DatasetPrograms.ALL, List.of(1, 3), List.of(5));
    }
}
