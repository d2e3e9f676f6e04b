package org.restorej.internal.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;

/** How all PEs learn of what some have to tell. */
class GatheredRecordsTest {
    private static final int FEW = 2;

    private static long[] words(int rank) {
        return LongStream.range(0, rank - 1).map(word -> 1000 * word - rank).toArray();
    }

    /** Every third PE tells something, the one more than the other, the first of them nothing. */
    private static List<String> tell(Communicator world, int most) {
        long[] own = world.rank() % 3 == 1 ? words(world.rank()) : null;
        GatheredRecords gathered = GatheredRecords.of(world, own, most).await();
        List<String> texts = new ArrayList<>(List.of(gathered.tellers() + " tell"));
        gathered.first().forEach(told -> texts.add(told.rank() + ": " + told.words()));
        return texts;
    }

    private static List<String> expected(int pes, int most) {
        int[] tellers = IntStream.range(0, pes).filter(rank -> rank % 3 == 1).toArray();
        return Stream.concat(Stream.of(tellers.length + " tell"), IntStream.of(tellers).limit(most)
                .mapToObj(rank -> rank + ": " + LongStream.of(words(rank)).boxed().toList())).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 64, 67})
    void everyPeKnowsAllOfIt(int pes) {
        List<String> all = expected(pes, Integer.MAX_VALUE);
        assertEquals(Stream.generate(() -> all).limit(pes).toList(),
                LocalCluster.run(pes, world -> tell(world, Integer.MAX_VALUE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 67})
    void everyPeKnowsWhatTheFirstFewTell(int pes) {
        List<String> few = expected(pes, FEW);
        assertEquals(Stream.generate(() -> few).limit(pes).toList(), LocalCluster.run(pes, world -> tell(world, FEW)));
    }
}
