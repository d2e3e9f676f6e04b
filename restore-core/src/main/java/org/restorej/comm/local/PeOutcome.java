package org.restorej.comm.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.OriginalRank;

/**
 * How the program of one PE of a {@link LocalCluster} ended.
 *
 * @param <T> what the program hands back
 */
public sealed interface PeOutcome<T extends @Nullable Object> {
    /** Which PE. */
    OriginalRank originalRank();

    /** The program returned. */
    record Returned<T extends @Nullable Object>(OriginalRank originalRank, T value) implements PeOutcome<T> {}

    /**
     * The program threw something other than its simulated death.
     *
     * @param order how many PEs had thrown before: the first one is usually the reason of the others
     */
    record Threw<T extends @Nullable Object>(OriginalRank originalRank, Throwable thrown, int order)
            implements
                PeOutcome<T> {}

    /** The PE was made to fail. */
    record Died<T extends @Nullable Object>(OriginalRank originalRank) implements PeOutcome<T> {}

    /**
     * Values of the PEs that returned, in the order given; PEs that died have none.
     *
     * @throws PeFailedException when a PE threw: with the exception thrown first as its cause, the others suppressed
     */
    static <T extends @Nullable Object> List<T> values(List<? extends PeOutcome<T>> outcomes) {
        List<Threw<T>> failures = new ArrayList<>();
        List<T> values = new ArrayList<>();
        for (PeOutcome<T> outcome : outcomes) {
            switch (outcome) {
                case Returned<T> returned -> values.add(returned.value());
                case Threw<T> threw -> failures.add(threw);
                case Died<T> died -> {
                }
            }
        }
        if (failures.isEmpty()) {
            return values;
        }
        failures.sort(Comparator.comparingInt(Threw::order));
        throw new PeFailedException(failures);
    }
}
