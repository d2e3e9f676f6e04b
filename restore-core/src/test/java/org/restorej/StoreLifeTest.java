package org.restorej;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.StoreLife.Kind;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** Stores of any shape keep what they promise, whatever is submitted, changed, damaged and lost. */
class StoreLifeTest {
    private static final long SEED = Seed.of(StoreLifeTest.class) * 10_000;

    static Stream<Kind> kinds() {
        return Stream.of(false, true).flatMap(mayLose -> Stream.of(new Kind(false, false, mayLose),
                new Kind(false, true, mayLose), new Kind(true, false, mayLose)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void allBlocksThatAreNotLostCanBeRead(Kind kind) {
        StoreLife.run(SEED, 10, kind);
    }

    @Deep
    @ParameterizedTest
    @MethodSource("kinds")
    void allBlocksThatAreNotLostCanBeReadFromManyStores(Kind kind) {
        StoreLife.run(SEED, 300, kind);
    }

    /** Its last row has fewer cells, which makes it no more tolerant than others. */
    @Test
    void theLastRowIsLostWhenTheOthersAre() {
        StoreLife.failuresIn(-5006659943717371490L, new Kind(true, false, false));
    }
}
