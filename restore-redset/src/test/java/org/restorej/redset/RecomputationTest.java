package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.SetInspection;

/** What ranks have written beside what one process computes of their files. */
class RecomputationTest {
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
                List<SetInspection> sets = OneDirectory.redset(shared.path(), PathPolicy.within(shared.path()))
                        .verify().sets();
                assertEquals(ranks, sets.stream().mapToInt(set -> set.place().ranks()).sum(), random + ": " + sets);
                for (SetInspection set : sets) {
                    assertEquals(SetInspection.State.WHOLE, set.state(), random + ": " + set.damages());
                }
            }
        }
    }
}
