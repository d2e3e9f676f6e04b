package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.testing.Depth;

/** Redset on PEs that are threads. */
class LocalClusterRedsetTest {
    private static final String RANKS_SEED = "restorej.ranks.seed";

    /** Two numbers of ranks: files make a run slower than messages alone do. */
    private static List<Integer> some(Integer... ranks) {
        return Depth.some(List.of(ranks), 2, RANKS_SEED);
    }

    @TestFactory
    Stream<DynamicTest> agreesWithRedset() {
        return LocalClusterPrograms.tests(VectorPrograms.ALL, Depth.some(List.of(3, 4), 1, RANKS_SEED));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(RedsetPrograms.ALL, some(1, 2, 5, 8));
    }

    @TestFactory
    Stream<DynamicTest> recoversFilesOfScrItself() {
        return LocalClusterPrograms.tests(ScrPrograms.ALL, some(2, 3, 4, 7));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenProcessesDie() {
        return LocalClusterPrograms.tests(FailingRedsetPrograms.ALL, List.of(3, 4));
    }

    @TestFactory
    Stream<DynamicTest> datasetsKeepTheirPromises() {
        return LocalClusterPrograms.tests(DatasetPrograms.ALL, some(1, 3, 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 7})
    void theToolThatRecomputesEverythingInOneProcessAgrees(int ranks) throws IOException {
        for (long seed = 0; seed < 6; seed++) {
            RandomFiles random = RandomFiles.of(seed, ranks);
            try (RankDirectory shared = new RankDirectory()) {
                LocalCluster.run(ranks, world -> {
                    try (Redset redset = random.redset(world, shared, "")) {
                        redset.apply(random.write(shared, world.rank()));
                    }
                    return true;
                });
                // Without them it can't compare checksums, and computes the redundancy anew.
                shared.snapshot().keySet().stream().filter(name -> name.endsWith(".checksums")).forEach(shared::delete);
                List<SetInspection> sets = new OfflineRedset(shared.path(), PathPolicy.within(shared.path()), 1)
                        .verify();
                assertEquals(ranks, sets.stream().mapToInt(set -> set.place().ranks()).sum(), random + ": " + sets);
                for (SetInspection set : sets) {
                    assertEquals(SetInspection.State.WHOLE, set.state(), random + ": " + set.damages());
                }
            }
        }
    }
}
