package org.restorej.redset;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.testing.Deep;

/** The same on all numbers of ranks, step by step in several ways. */
@Deep
class LocalClusterRedsetOnAnyNumberOfRanksTest extends LocalClusterRedsetTest {
    private static final int INTERLEAVINGS = 5;

    @Override
    Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> ranks, List<Integer> deeply) {
        List<Integer> all = Stream.concat(ranks.stream(), deeply.stream()).toList();
        return LocalClusterPrograms.tests(programs, all, INTERLEAVINGS);
    }
}
