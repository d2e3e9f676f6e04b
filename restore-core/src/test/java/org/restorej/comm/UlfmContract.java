package org.restorej.comm;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Depth;

/** The contract on an Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
abstract class UlfmContract extends CommunicatorContract {
    private static final Set<String> CHOSEN = chosen();

    private static final String RANKS_SEED = "restorej.ranks.seed";

    private static final String WITHOUT_DEATHS = "revokeWakesEverybody";

    private final ContractJobs jobs;

    UlfmContract(MpiFlavour flavour) {
        jobs = new ContractJobs(flavour).add(new CommunicatorContractPrograms(), SIZES.toArray(Integer[]::new));
    }

    @Override
    void runOnEveryPe(int size, String programName) {
        jobs.requireKept(CommunicatorContractPrograms.class, size, programName);
    }

    /** Half of them, others every day: each takes a job of some seconds. */
    @Override
    List<Integer> sizes() {
        return Depth.some(SIZES, 2, RANKS_SEED);
    }

    /** Each death takes a job of its own, so every day on 4 PEs only. */
    @Override
    List<Integer> sizesWithDeaths() {
        return Depth.isDeep() ? SIZES : List.of(4);
    }

    /** A third of the programs, others every day: each takes a job, and all are run on threads and in deep. */
    private static Set<String> chosen() {
        List<String> all = FailureContractPrograms.ALL.stream().map(ContractProgram::name).toList();
        return Set.copyOf(Depth.some(all, (all.size() + 2) / 3, "restorej.kills.seed"));
    }

    @Override
    void runFailureProgram(int size, String programName) {
        Assumptions.assumeTrue(CHOSEN.contains(programName), "another day, or --deep");
        FailureContractPrograms suite = new FailureContractPrograms();
        jobs.requireKeptByTheSurvivors(suite, size, suite.named(programName), !programName.equals(WITHOUT_DEATHS));
        if (!Depth.isDeep()) {
            Depth.leaveOut(programName + " on 1, 2 and 8 ranks under ULFM");
        }
    }
}
