package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on Open MPIs with ULFM, where ranks that fail are killed with SIGKILL: each time a job of its own. */
class UlfmContractIT {
    /** One for each kind of call that tells of failures, and two where they meet; on threads all, every day. */
    public static final class EveryDay implements ContractSuite {
        @Override
        public List<ContractProgram> programs() {
            return Stream.of("receiveFromAFailedPeNamesIt", "aReductionWithAFailedPeFails", "revokeWakesEverybody",
                    "agreementIsUniformDespiteAFailure", "aFailureInAGroupDisturbsNoOther",
                    "anAgreementIsPendingOverEachFailure", "anotherThreadEndsAnAgreement",
                    "aFailureEndsEveryOperationOnArrays")
                    .map(new FailureContractPrograms()::named).toList();
        }
    }

    @TestFactory
    Stream<DynamicContainer> keepsTheContractWhenRanksAreKilled() {
        return new ContractJobs(MpiFlavour.ULFM).addWithFailures(new EveryDay(), 4).tests();
    }

    /** What leaves all ranks alive runs every day on another Open MPI. */
    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsTheContractOnAnyNumberOfRanks() {
        return new ContractJobs(MpiFlavour.ULFM).add(new CommunicatorContractPrograms(), 1, 2, 4, 8)
                .addWithFailures(new FailureContractPrograms(), 2, 4, 8).tests();
    }

    @Deep
    @TestFactory
    Stream<DynamicContainer> keepsTheContractOnOtherMpis() {
        return MpiFlavour.onEach(MpiFlavour.OTHERS_KILLING,
                flavour -> new ContractJobs(flavour).add(new CommunicatorContractPrograms(), 1, 2, 4, 8)
                        .addWithFailures(new FailureContractPrograms(), 4).tests());
    }
}
