package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;

/** The contract on an MPI where one failure ends the job, and failures are simulated. All its tests share jobs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MpiContract extends CommunicatorContract {
    private static final List<Integer> EVERY_DAY = List.of(4);

    /** Numbers of ranks with one that fails: the fewest in a chain, that of every day, and many. */
    private static final Integer[] SIZES_WITH_FAILURES = {3, 4, 8};

    private final ContractJobs jobs;

    MpiContract(MpiFlavour flavour) {
        jobs = new ContractJobs(flavour).add(new CommunicatorContractPrograms(), SIZES.toArray(Integer[]::new))
                .addWithFailures(new FailurePrograms(), SIZES_WITH_FAILURES);
    }

    @TestFactory
    Stream<DynamicTest> tellsThoseWhoDependOnAFailedPe() {
        return jobs.tests(FailurePrograms.class, EVERY_DAY);
    }

    @Deep
    @TestFactory
    List<DynamicContainer> keepsTheContractOnOtherNumbersOfRanks() {
        return keepsTheContract(without(EVERY_DAY));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> tellsThoseWhoDependOnAFailedPeOfAnyNumberOfRanks() {
        return jobs.tests(FailurePrograms.class, List.of(3, 8));
    }

    /** Of these, those that also make sense where failures are simulated. */
    public static final class FailurePrograms implements ContractSuite {
        @Override
        public List<ContractProgram> programs() {
            return FailureContractPrograms.ALL;
        }
    }

    @Override
    boolean survivesFailures() {
        return false;
    }

    @Override
    void runOnEveryPe(int size, String programName) {
        jobs.requireKept(CommunicatorContractPrograms.class, size, programName);
    }

    @Override
    List<Integer> sizes() {
        return EVERY_DAY;
    }
}
