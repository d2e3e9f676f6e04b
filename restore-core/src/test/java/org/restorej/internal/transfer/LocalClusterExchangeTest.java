package org.restorej.internal.transfer;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;

/** Exchanges on PEs that are threads. */
class LocalClusterExchangeTest {
    @TestFactory
    Stream<DynamicTest> exchangesKeepTheirPromises() {
        return LocalClusterPrograms.tests(ExchangePrograms.ALL, List.of(1, 2, 4, 8));
    }
}
