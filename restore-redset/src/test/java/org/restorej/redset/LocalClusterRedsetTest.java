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
}
