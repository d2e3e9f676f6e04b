package org.restorej.reduce;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;

/** Reproducible sums over the processes of MPIs. */
class ReproducibleSumsIT {
    @TestFactory
    Stream<DynamicContainer> areTheSameOnAnyNumberOfProcesses() {
        return MpiFlavour.onEach(MpiFlavour.simulating(), flavour -> new ContractJobs(flavour)
                .add(new ReproducibleSumPrograms(), 1, 3, 8).tests());
    }
}
