package org.restorej.demo.examples;

import java.io.IOException;
import java.util.SplittableRandom;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.HookedCommunicator;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.internal.mpi.ForeignUlfm;

/**
 * A rank that runs an example again and again, each time with a rank less: one of them kills itself by SIGKILL at some
 * call of its communicators. Arguments: the example, a seed, how many ranks are to be left.
 */
public final class ExampleKillProgram {
    /** Calls of this rank in the run before. */
    private int calls;

    private final Example example;
    private final long seed;
    private final int left;

    private ExampleKillProgram(Example example, long seed, int left) {
        this.example = example;
        this.seed = seed;
        this.left = left;
    }

    /** Name of the report of a survivor. */
    static String endReport(int rank) {
        return "end-" + rank;
    }

    /** Runs it. */
    public static void main(String[] args) {
        ExampleKillProgram program = new ExampleKillProgram(Example.valueOf(args[0]), Long.parseLong(args[1]),
                Integer.parseInt(args[2]));
        Mpi.run(args, program::rounds);
    }

    private void rounds(Communicator world) throws IOException {
        Communicator current = world;
        check(run(current, Integer.MAX_VALUE));
        int kills = 0;
        for (int round = 0; current.size() > left; round++) {
            SplittableRandom random = new SplittableRandom(seed * 1000 + round);
            int victim = random.nextInt(current.size());
            int callsToLive = (int) (random.nextDouble() * calls);
            Object result = run(current, current.rank() == victim ? callsToLive : Integer.MAX_VALUE);
            check(result);
            Communicator survivors = current.shrink();
            kills += current.size() - survivors.size();
            current = survivors;
        }
        MpiRank.report(endReport(world.rank()), "OK, " + kills + " killed");
    }

    private void check(Object result) {
        if (!result.equals(example.expected())) {
            throw new AssertionError("expected " + example.expected() + ", was " + result);
        }
    }

    /** Runs the example, and begins it again where somebody fails while a store is built. */
    private Object run(Communicator all, int callsToLive) {
        int[] done = {0};
        Communicator current = new HookedCommunicator(all, () -> {
            if (done[0]++ == callsToLive) {
                ForeignUlfm.killThisProcess();
            }
        });
        while (true) {
            try {
                Object result = example.run(current);
                calls = done[0];
                return result;
            } catch (CommunicationFailedException beforeTheFirstGeneration) {
                current.revoke();
                current = current.shrink();
            }
        }
    }
}
