package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;

/** Sparse all-to-alls on PEs that are threads. */
class SparseAllToAllTest {
    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(SparseAllToAllPrograms.ALL, List.of(1, 2, 3, 8));
    }
}
