package org.restorej.reduce;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** Reproducible sums over processes under Open MPI. */
class ReproducibleSumsIT {
    @TestFactory
    Stream<DynamicTest> areTheSameOnAnyNumberOfProcesses() {
        return new ContractJobs(MpiFlavour.OPEN_MPI).add(new ReproducibleSumPrograms(), 1, 3, 8)
                .tests(ReproducibleSumPrograms.class);
    }
}
