package org.restorej.comm.collective;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** Reproducible sums over the processes of MPIs; every day they are among the programs of the store, on four ranks. */
@Deep
class ReproducibleSumsIT {
    @TestFactory
    Stream<DynamicTest> areTheSameOnAnyNumberOfProcesses() {
        return new ContractJobs(MpiFlavour.OPEN_MPI).add(new ReproducibleSumPrograms(), 1, 3, 8)
                .tests(ReproducibleSumPrograms.class);
    }

    @TestFactory
    Stream<DynamicContainer> areTheSameOnEveryMpi() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_SIMULATING, flavour -> new ContractJobs(flavour)
                .add(new ReproducibleSumPrograms(), 3).tests());
    }
}
