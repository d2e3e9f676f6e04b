package org.restorej;

import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.ReplicatedArray;

/** A program of {@link PoisonedPrograms} on MPI. */
public final class PoisonedProgram {
    private PoisonedProgram() {}

    /**
     * Runs.
     *
     * @param args where, and what happens
     */
    public static void main(String[] args) {
        MpiRank.meansToThrow();
        AtomicInteger begun = new AtomicInteger();
        Mpi.run(args, world -> {
            begun.incrementAndGet();
            PoisonedPrograms.Trouble trouble = (comm, mine) -> meet(args[1], comm, mine);
            int left = switch (args[0]) {
                case "checkpoints" -> PoisonedPrograms.checkpointLoop(world, 1, trouble);
                case "steps" -> PoisonedPrograms.constantLoop(world, 1, trouble);
                case "program" -> PoisonedPrograms.begun(world, trouble);
                case "between" -> between(world);
                default -> throw new IllegalArgumentException("args=" + args[0]);
            };
            System.out.println(left + " left, begun " + begun);
        });
    }

    private static void meet(String what, Communicator communicator, BlockRanges mine) {
        switch (what) {
            case "exception" -> PoisonedPrograms.poison(mine);
            case "kill" -> {
                communicator.allReduce(1L, Reduction.SUM);
                if (communicator.size() > 2) {
                    FailureSimulation.of(communicator).fail(communicator.size() - 1);
                }
            }
            default -> throw new IllegalArgumentException("what=" + what);
        }
    }

    /** Rank 1 throws outside of the loop, while the others are in it. */
    private static int between(Communicator world) {
        LoadBalancer balancer = LoadBalancer.equal(world.size(), PoisonedPrograms.OBJECTS);
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world), PoisonedPrograms.OBJECTS, 1);
                CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(2))) {
            loop.keep(array.local(mine -> new int[(int) mine.blockCount()]));
            CheckpointLoop.Step step = (comm, iteration) -> comm.allReduce(1L, Reduction.SUM);
            loop.run(3, step);
            if (world.rank() == 1 && world.size() == world.ranks().originalSize()) {
                throw new NoSuchElementException(PoisonedPrograms.MISTAKE);
            }
            loop.run(6, step);
            return loop.communicator().size();
        }
    }
}
