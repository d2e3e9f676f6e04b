package org.restorej.internal.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.internal.placement.DamagedReplicas;

/** How all PEs learn of damage that some have found. */
class DamageReportTest {
    private static final long KNOWN_CHUNK = 5;

    private static List<String> texts(DamagedReplicas damaged) {
        List<String> texts = new ArrayList<>();
        damaged.forEach((chunk, rank) -> texts.add(chunk + " of " + rank));
        return texts;
    }

    /** Every third PE finds some, the one more than the other; store ranks are not ranks. */
    private static List<String> exchange(Communicator world) {
        LongOpenHashSet found = new LongOpenHashSet();
        for (int chunk = 0; world.rank() % 3 == 1 && chunk < world.rank(); chunk++) {
            found.add(1000L * chunk);
        }
        DamagedReplicas known = new DamagedReplicas.Builder(DamagedReplicas.NONE).add(KNOWN_CHUNK, 0).build();
        return texts(DamageReport.exchange(world, known, world.rank() + 7, found).await());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 64, 67})
    void everyPeKnowsAllOfIt(int pes) {
        DamagedReplicas.Builder expected = new DamagedReplicas.Builder(DamagedReplicas.NONE).add(KNOWN_CHUNK, 0);
        for (int rank = 1; rank < pes; rank += 3) {
            for (int chunk = 0; chunk < rank; chunk++) {
                expected.add(1000L * chunk, rank + 7);
            }
        }
        List<String> all = texts(expected.build());
        assertEquals(Stream.generate(() -> all).limit(pes).toList(), LocalCluster.run(pes, DamageReportTest::exchange));
    }
}
