package org.restorej;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.SparseAllToAllPrograms;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.internal.transfer.ExchangePrograms;
import org.restorej.testing.Depth;

/**
 * The store, its exchanges and the sparse all-to-all on MPIs where failures are simulated. What is tried on 4 and on 8
 * ranks is tried on either every day.
 */
class MpiStoreIT {
    /** How many suites are run every day on an MPI that fewer programs will use. */
    private static final int SUITES_ELSEWHERE = 11;

    private static final List<Integer> LARGE = Depth.some(List.of(4, 8), 1, "restorej.ranks.seed");

    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        return MpiFlavour.onEach(MpiFlavour.simulating(), flavour -> flavour == MpiFlavour.OPEN_MPI
                ? jobs(flavour).tests()
                : jobs(flavour).tests(SUITES_ELSEWHERE));
    }

    private static ContractJobs jobs(MpiFlavour flavour) {
        // Most MPIs start 8 ranks slowly, and what they do on 8 they do on 4.
        boolean startsMany = Depth.isDeep() || flavour == MpiFlavour.OPEN_MPI;
        int many = startsMany ? 8 : 4;
        List<Integer> large = startsMany ? LARGE : List.of(4);
        return new ContractJobs(flavour)
                .add(new StorePrograms(), sizes(large, 1, 2)).add(new SparseAllToAllPrograms(), sizes(large, 1, 2))
                .add(new ExchangePrograms(), sizes(large)).add(new VariableStorePrograms(), 4)
                .add(new ChangingStorePrograms(), 4).add(new CheckedStorePrograms(), 4).add(new RowPrograms(), 4)
                .add(new ObjectPrograms(), 4)
                .add(new DomainRulePrograms(), 4).add(new AsyncStorePrograms(), 2, 4)
                .add(new PendingSubmitPrograms(), 2, 4)
                .addWithDeaths(new FailingStorePrograms(), 4)
                .addWithDeaths(new FailingRowPrograms(), 4).addWithDeaths(new FailingObjectPrograms(), 4)
                .addWithDeaths(new CheckpointLoopPrograms(), 4).addWithDeaths(new AsyncFailingStorePrograms(), 4)
                .addWithDeaths(new HealingStorePrograms(), many).addWithDeaths(new SpareStorePrograms(), many)
                .addWithDeaths(new DomainStorePrograms(), many).addWithDeaths(new FallbackStorePrograms(), many)
                .addWithDeaths(new ChangingFailurePrograms(), many)
                .addWithDeaths(new DamageCombinationPrograms(), 4)
                .addWithDeaths(new GroupStorePrograms(), many == 8 ? new Integer[]{4, 8} : new Integer[]{4});
    }

    private static Integer[] sizes(List<Integer> large, Integer... small) {
        return Stream.concat(Stream.of(small), large.stream()).toArray(Integer[]::new);
    }
}
