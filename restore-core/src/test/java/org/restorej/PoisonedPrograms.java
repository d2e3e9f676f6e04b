package org.restorej;

import java.util.NoSuchElementException;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.LocalObjects;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.placement.StoreRank;

/** Programs in which whoever works on one object throws: a mistake of the application, not a fault of a machine. */
public final class PoisonedPrograms {
    /** What they throw. */
    public static final String MISTAKE = "object 33 can't be computed";

    static final long OBJECTS = 60;
    private static final long POISONED = 33;
    private static final int ITERATIONS = 9;
    private static final int POISONED_ITERATION = 4;

    /** Called in the iteration in which something may happen. */
    @FunctionalInterface
    public interface Trouble {
        /** Whatever happens to a PE that works on these. */
        void meet(Communicator communicator, BlockRanges mine);
    }

    private PoisonedPrograms() {}

    /** Throws where the object is. */
    public static void poison(BlockRanges mine) {
        if (mine.contains(POISONED)) {
            throw new NoSuchElementException(MISTAKE);
        }
    }

    /** Iterations with checkpoints; returns how many PEs are left. */
    public static int checkpointLoop(Communicator world, int limit, Trouble trouble) {
        try (ReplicatedObjects<String> all = ReplicatedObjects.of(ReStore.builder(world), OBJECTS, Codecs.STRING);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), OBJECTS),
                        CheckpointInterval.iterations(3)).exceptionLimit(limit)) {
            LocalObjects<String> mine = loop.keep(all.local(id -> "object " + id));
            loop.run(ITERATIONS, (communicator, iteration) -> {
                if (iteration == POISONED_ITERATION) {
                    trouble.meet(communicator, mine.ids());
                }
                communicator.allReduce(1L, Reduction.SUM);
            });
            return loop.communicator().size();
        }
    }

    /** Steps on objects that never change; returns how many PEs are left. */
    public static int constantLoop(Communicator world, int limit, Trouble trouble) {
        try (ReplicatedObjects<String> all = ReplicatedObjects.of(ReStore.builder(world), OBJECTS, Codecs.STRING);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), OBJECTS),
                        CheckpointInterval.iterations(1)).exceptionLimit(limit)) {
            LocalObjects<String> mine = loop.keep(all.constant(id -> "object " + id));
            for (int step = 0; step < ITERATIONS; step++) {
                boolean poisoned = step == POISONED_ITERATION;
                loop.evaluate(communicator -> {
                    if (poisoned) {
                        trouble.meet(communicator, mine.ids());
                    }
                    return communicator.allReduce(1L, Reduction.SUM);
                });
            }
            return loop.communicator().size();
        }
    }

    /** No loop at all; returns how many PEs are left. */
    public static int begun(Communicator world, Trouble trouble) {
        trouble.meet(world, LoadBalancer.equal(world.size(), OBJECTS).assignment().blocksOf(StoreRank.of(world)));
        return (int) world.allReduce(1L, Reduction.SUM);
    }
}
