package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Depth;

/** The contract on an MPI where one death ends the job, and failures are simulated. */
abstract class MpiContract extends CommunicatorContract {
    /** One of them every day, beside Open MPI as most programs will call it. */
    private static final List<MpiFlavour> TURNS = List.of(MpiFlavour.MPICH, MpiFlavour.BINDINGS);

    private final MpiFlavour flavour;
    private final ContractJobs jobs;

    MpiContract(MpiFlavour flavour) {
        this.flavour = flavour;
        jobs = new ContractJobs(flavour).add(new CommunicatorContractPrograms(), SIZES.toArray(Integer[]::new));
    }

    @BeforeEach
    void takesTurns() {
        if (TURNS.contains(flavour)) {
            Assumptions.assumeTrue(Depth.some(TURNS, 1, "restorej.mpi.seed").contains(flavour),
                    flavour::displayName);
        }
    }

    @TestFactory
    Stream<DynamicTest> tellsThoseWhoDependOnADeadPe() {
        return new ContractJobs(flavour).addWithDeaths(new DeathPrograms(), 3, 4, 8).tests(DeathPrograms.class);
    }

    /** The failure programs that also make sense where failures are simulated and revocation isn't MPI's. */
    public static final class DeathPrograms implements ContractSuite {
        @Override
        public List<ContractProgram> programs() {
            FailureContractPrograms all = new FailureContractPrograms();
            return Stream.concat(
                    Stream.of(all.named(FailureContractPrograms.CHAIN), all.named(FailureContractPrograms.HALO)),
                    SplitPrograms.withDeaths().stream()).toList();
        }
    }

    @Override
    void runOnEveryPe(int size, String programName) {
        jobs.requireKept(CommunicatorContractPrograms.class, size, programName);
    }

    /** All where it is called as most programs will; elsewhere half of them, others every day. */
    @Override
    List<Integer> sizes() {
        return flavour == MpiFlavour.OPEN_MPI ? SIZES : Depth.some(SIZES, 2, "restorej.ranks.seed");
    }

    @Override
    List<Integer> sizesWithDeaths() {
        return List.of();
    }
}
