package org.restorej.internal.transfer;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;

/** Sparse all-to-all and exchanges on PEs that are threads. */
class LocalClusterExchangeTest {
    @TestFactory
    Stream<DynamicTest> sparseAllToAllKeepsItsPromises() {
        return LocalClusterPrograms.tests(SparseAllToAllPrograms.ALL, List.of(1, 2, 3, 8));
    }

    @TestFactory
    Stream<DynamicTest> exchangesKeepTheirPromises() {
        return LocalClusterPrograms.tests(ExchangePrograms.ALL, List.of(1, 2, 4, 8));
    }
}
