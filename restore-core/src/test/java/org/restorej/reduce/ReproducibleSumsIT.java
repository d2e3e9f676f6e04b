package org.restorej.reduce;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** Reproducible sums over processes under Open MPI. */
class ReproducibleSumsIT {
    @TestFactory
    Stream<DynamicTest> areTheSameOnAnyNumberOfProcesses() {
        return new ContractJobs(MpiFlavour.OPEN_MPI, new ReproducibleSumPrograms()).tests(List.of(1, 3, 8));
    }
}
