package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Depth;

/** The store on Open MPI with ULFM, where ranks that fail are killed with SIGKILL. */
class UlfmStoreIT {
    /** Of the suites in which ranks are killed, each of which starts a job for each program. */
    private static final int EVERY_DAY = 4;

    private static final List<Deaths> DEATHS = List.of(new Deaths(new FailingStorePrograms(), List.of(4, 8)),
            new Deaths(new FailingRowPrograms(), List.of(4, 8)), new Deaths(new FailingObjectPrograms(), List.of(4)),
            new Deaths(new CheckpointLoopPrograms(), List.of(4)), new Deaths(new HealingStorePrograms(), List.of(4, 8)),
            new Deaths(new SpareStorePrograms(), List.of(4, 8)),
            new Deaths(new DomainStorePrograms(), List.of(4, 6, 8)),
            new Deaths(new FallbackStorePrograms(), List.of(4, 8)),
            new Deaths(new ChangingFailurePrograms(), List.of(4, 8)),
            new Deaths(new GroupStorePrograms(), List.of(4, 8)));

    /** A suite, and on how many ranks. */
    private record Deaths(ContractSuite suite, List<Integer> sizes) {
        @Override
        public String toString() {
            return suite.getClass().getSimpleName();
        }
    }

    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return MpiFlavour.onEach(MpiFlavour.killing(), flavour -> jobs(flavour).tests());
    }

    private static ContractJobs jobs(MpiFlavour flavour) {
        ContractJobs jobs = new ContractJobs(flavour).add(new StorePrograms(), 4).add(new RowPrograms(), 4)
                .add(new ObjectPrograms(), 4).add(new LoneRefusalPrograms(), 4).add(new DomainRulePrograms(), 4)
                .add(new AsyncStorePrograms(), 4)
                .add(new PendingSubmitPrograms(), 4);
        Depth.some(DEATHS, EVERY_DAY, "restorej.kills.seed")
                .forEach(deaths -> jobs.addWithDeaths(deaths.suite(), deaths.sizes().toArray(Integer[]::new)));
        return jobs;
    }
}
