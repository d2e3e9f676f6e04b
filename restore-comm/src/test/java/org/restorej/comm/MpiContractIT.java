package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on MPIs where one failure ends the job, and failures are simulated. */
class MpiContractIT {
    private static final List<MpiFlavour> EVERY_DAY = List.of(MpiFlavour.OPEN_MPI, MpiFlavour.BINDINGS);

    @TestFactory
    Stream<DynamicContainer> keepsTheContract() {
        return MpiFlavour.onEach(EVERY_DAY, flavour -> new ContractJobs(flavour)
                .add(new CommunicatorContractPrograms(), 4).addWithFailures(new FailureContractPrograms(), 4).tests());
    }

    /** With failures on as few as a chain needs. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsTheContractOnOtherNumbersOfRanks() {
        return MpiFlavour.onEach(EVERY_DAY, flavour -> new ContractJobs(flavour)
                .add(new CommunicatorContractPrograms(), 1, 2, 8)
                .addWithFailures(new FailureContractPrograms(), 3, 8).tests());
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsTheContractOnOtherMpis() {
        return MpiFlavour.onEach(
                MpiFlavour.OTHERS_SIMULATING.stream().filter(flavour -> !EVERY_DAY.contains(flavour)).toList(),
                flavour -> new ContractJobs(flavour).add(new CommunicatorContractPrograms(), 1, 2, 4, 8)
                        .addWithFailures(new FailureContractPrograms(), 3, 4, 8).tests());
    }
}
