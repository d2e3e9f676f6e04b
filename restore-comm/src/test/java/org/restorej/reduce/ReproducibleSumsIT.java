package org.restorej.reduce;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** Reproducible sums over the processes of MPIs. */
class ReproducibleSumsIT {
    @TestFactory
    Stream<DynamicTest> areTheSameOnSeveralProcesses() {
        return on(3);
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> areTheSameOnOneProcessAndOnEight() {
        return on(1, 8);
    }

    private static Stream<DynamicTest> on(Integer... ranks) {
        return new ContractJobs(MpiFlavour.OPEN_MPI).add(new ReproducibleSumPrograms(), ranks)
                .tests(ReproducibleSumPrograms.class);
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> areTheSameOnEveryMpi() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_SIMULATING, flavour -> new ContractJobs(flavour)
                .add(new ReproducibleSumPrograms(), 3).tests());
    }
}
