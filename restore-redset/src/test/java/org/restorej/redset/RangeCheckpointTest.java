package org.restorej.redset;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;

/** Checkpoints of blocks on PEs that are threads. */
class RangeCheckpointTest {
    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(RangeCheckpointPrograms.ALL, List.of(2, 4), 2);
    }
}
