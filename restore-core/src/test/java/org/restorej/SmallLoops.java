package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.function.Executable;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.ReplicatedArray;

/** A loop over a few rows, as tests of what goes wrong have it. */
final class SmallLoops {
    static final int ROWS = 12;

    private SmallLoops() {}

    static void dieOnce(Communicator comm, Communicator world, int victim) {
        if (comm.size() == world.size()) {
            FailureSimulation.of(comm).fail(victim);
        }
    }

    static ReplicatedArray<int[]> array(Communicator world) {
        return ReplicatedArray.ofInts(ReStore.builder(world), ROWS, 1);
    }

    static CheckpointLoop loop(Communicator world, long blocks) {
        return new CheckpointLoop(world, LoadBalancer.equal(world.size(), blocks),
                CheckpointInterval.iterations(Long.MAX_VALUE));
    }

    static int[] zeros(BlockRanges rows) {
        return new int[(int) rows.blockCount()];
    }

    static int[] numbers(BlockRanges rows) {
        int[] numbers = new int[(int) rows.blockCount()];
        Arrays.setAll(numbers, i -> (int) rows.blockAt(i));
        return numbers;
    }

    static int sameText(String expected, String actual) {
        assertEquals(expected, actual);
        return 0;
    }

    static String refused(Executable call) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    static String misused(Executable call) {
        return String.valueOf(assertThrows(IllegalStateException.class, call).getMessage());
    }
}
