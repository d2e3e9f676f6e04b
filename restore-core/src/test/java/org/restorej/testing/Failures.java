package org.restorej.testing;

import java.util.Random;
import java.util.stream.IntStream;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.placement.FailedRanks;

/** Failures, and random sets of failed ranks. */
public final class Failures {
    private Failures() {}

    /** Any number of failed among {@code 0 .. peCount - 1}, at least one PE staying alive. */
    public static FailedRanks someOf(int peCount, Random random) {
        return FailedRanks.of(random.ints(random.nextInt(peCount), 0, peCount).toArray());
    }

    /** So many failed. */
    public static FailedRanks some(int peCount, int count, Random random) {
        return FailedRanks.of(random.ints(0, peCount).distinct().limit(count).toArray());
    }

    /** Further failed, at least one PE staying alive. */
    public static FailedRanks moreThan(FailedRanks failed, int peCount, Random random) {
        int[] alive = alive(failed, peCount);
        int[] more = random.ints(random.nextInt(alive.length), 0, alive.length).map(i -> alive[i]).toArray();
        return failed.union(FailedRanks.of(more));
    }

    /** Who is alive, ascending. */
    public static int[] alive(FailedRanks failed, int peCount) {
        return IntStream.range(0, peCount).filter(rank -> !failed.contains(rank)).toArray();
    }

    /** Ends PEs, and returns the communicator of those who are left. */
    public static Communicator lose(Communicator communicator, int... currentRanks) {
        FailureSimulation.of(communicator).fail(currentRanks);
        communicator.revoke();
        return communicator.shrink();
    }
}
