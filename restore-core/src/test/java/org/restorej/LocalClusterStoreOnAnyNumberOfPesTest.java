package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.testing.Deep;

/** The same on all numbers of PEs, step by step in several ways. */
@Deep
class LocalClusterStoreOnAnyNumberOfPesTest extends LocalClusterStoreTest {
    private static final int INTERLEAVINGS = 10;

    @Override
    Stream<DynamicTest> tests(List<ContractProgram> programs, Integer... sizes) {
        return LocalClusterPrograms.tests(programs, List.of(sizes), INTERLEAVINGS);
    }
}
