package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.Recovery;
import org.restorej.loop.LoopValue;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** What a {@link CheckpointLoop} promises when PEs die in its iterations. */
public final class CheckpointLoopPrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aLoopGoesBackToItsLastGeneration", 4, CheckpointLoopPrograms::goesBack),
            new ContractProgram("aLoopBeginsAnewBeforeItsFirstGeneration", 3, CheckpointLoopPrograms::firstGeneration),
            new ContractProgram("partsOfUnknownLengthsComeBack", 3, CheckpointLoopPrograms::streams),
            new ContractProgram("replicasAreMadeAnewUntilTheNextGeneration", 3, CheckpointLoopPrograms::replicas),
            new ContractProgram("aSpareTakesOverInALoop", 4, CheckpointLoopPrograms::spare),
            new ContractProgram("aFailureWakesThoseWhoWaitForSurvivors", 3, CheckpointLoopPrograms::chain),
            new ContractProgram("aMistakeOfOnePeIsThrownThereAndTheLoopCanGoOn", 3, CheckpointLoopPrograms::mistake)
                    .ofSurvivors());

    private static final int ROWS = 47;
    private static final int ITERATIONS = 20;

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReplicatedArray<double[]> array(Communicator world, int spares) {
        return ReplicatedArray.ofDoubles(ReStore.builder(world).replication(2).spares(spares), ROWS, 1);
    }

    private static CheckpointLoop loop(Communicator world, int spares) {
        return new CheckpointLoop(world, LoadBalancer.contiguous(world.size() - spares, ROWS),
                CheckpointInterval.iterations(5));
    }

    private static double sum(Communicator comm, LocalRows<double[]> rows) {
        double[] sum = {Arrays.stream(rows.values()).sum()};
        comm.allReduce(sum, Reduction.SUM);
        return sum[0];
    }

    private static void addOne(Communicator comm, LocalRows<double[]> rows) {
        Arrays.setAll(rows.values(), i -> rows.values()[i] + 1);
        comm.allReduce(new double[1], Reduction.SUM);
    }

    private static void die(Communicator comm, int victim) {
        ((FailureSimulation) comm).fail(victim);
    }

    /** Two PEs die, far from a checkpoint and right after one; everybody's rows and values come from one generation. */
    private static void goesBack(Communicator world) {
        List<Recovery> recoveries = new ArrayList<>();
        try (ReplicatedArray<double[]> array = array(world, 0);
                CheckpointLoop loop = loop(world, 0).onRecovery(recoveries::add)) {
            LocalRows<double[]> rows = loop.keep(array.local(mine -> new double[(int) mine.blockCount()]));
            LoopValue<Long> count = loop.value(Codecs.LONG, 0L);
            List<Long> iterations = new ArrayList<>();
            loop.run(ITERATIONS, (comm, iteration) -> {
                iterations.add(iteration);
                equal(iteration, count.get(), "value at the beginning of an iteration");
                count.set(iteration + 1);
                addOne(comm, rows);
                if (iteration == 13 && comm.size() == world.size()) {
                    die(comm, 1);
                }
                if (iteration == 15 && comm.size() == world.size() - 1) {
                    die(comm, 0);
                }
            });
            equal((double) ROWS * ITERATIONS, loop.evaluate(comm -> sum(comm, rows)), "sum over all rows");
            equal((long) ITERATIONS, count.get(), "value at the end");
            holds(iterations.stream().filter(each -> each == 10).count() >= 2,
                    "iteration 10 is repeated: " + iterations);
            equal(2, recoveries.size(), "recoveries");
            equal(world.size() - 2, recoveries.getLast().survivors(), "survivors");
            equal(world.size() - 2, loop.communicator().size(), "size of the loop's communicator");
            for (long row = 0; row < ROWS; row++) {
                equal(loop.blocks().contains(row), loop.rankOf(row) == loop.communicator().rank(),
                        "rank of row " + row);
            }
            equal(-1, loop.rankOf(-1), "rank of a row before the first");
            equal(-1, loop.rankOf(ROWS), "rank of a row after the last");
        }
    }

    /**
     * In an iteration a number goes from the last PE by way of all others to the first. When the last one has failed,
     * the one before it meets that; the others wait for PEs that are alive and send it no more. Meanwhile the
     * generation before is under way.
     */
    private static void chain(Communicator world) {
        try (ReplicatedArray<double[]> array = array(world, 0);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), ROWS),
                        CheckpointInterval.iterations(1)).inBackground()) {
            LocalRows<double[]> rows = loop.keep(array.local(mine -> new double[(int) mine.blockCount()]));
            loop.run(4, (comm, iteration) -> {
                if (iteration == 2 && comm.size() == world.size()) {
                    die(comm, world.size() - 1);
                }
                passOn(comm);
                Arrays.setAll(rows.values(), i -> rows.values()[i] + 1);
            });
            equal(world.size() - 1, loop.communicator().size(), "survivors");
            equal(4.0 * ROWS, loop.evaluate(comm -> sum(comm, rows)), "sum over all rows");
        }
    }

    private static void passOn(Communicator comm) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment number = arena.allocate(Long.BYTES, Long.BYTES);
            if (comm.rank() < comm.size() - 1) {
                comm.iReceive(number, comm.rank() + 1, 7).await();
            }
            if (comm.rank() > 0) {
                comm.iSend(number, comm.rank() - 1, 7).await();
            }
        }
    }

    /** Also of what never changes, and is in no other generation. */
    private static void replicas(Communicator world) {
        try (ReplicatedArray<double[]> array = array(world, 0);
                ReplicatedArray<double[]> factors = array(world, 0);
                CheckpointLoop loop = loop(world, 0)) {
            LocalRows<double[]> rows = loop.keep(array.local(mine -> new double[(int) mine.blockCount()]));
            loop.keep(factors.constant(mine -> new double[(int) mine.blockCount()]));
            loop.run(ITERATIONS, (comm, iteration) -> {
                addOne(comm, rows);
                if (comm.size() < world.size()) {
                    for (ReplicatedArray<double[]> each : List.of(array, factors)) {
                        boolean missing = each.store().report().blocksByReplicas().get(2) < ROWS;
                        equal(iteration < 15, missing, "missing replicas in iteration " + iteration);
                    }
                } else if (iteration == 13) {
                    die(comm, 1);
                }
            });
        }
    }

    /** Rows of a PE that fails before anything is submitted are made again by the others. */
    private static void firstGeneration(Communicator world) {
        try (ReplicatedArray<double[]> array = array(world, 0); CheckpointLoop loop = loop(world, 0)) {
            LocalRows<double[]> rows = loop.keep(array.local(
                    mine -> LongStream.range(0, mine.blockCount()).mapToDouble(mine::blockAt).toArray()));
            die(world, 1);
            equal(ROWS * (ROWS - 1) / 2.0, loop.evaluate(comm -> sum(comm, rows)), "sum over all rows");
            equal(1L, array.store().generation(), "generation");
        }
    }

    /** The same as on one PE, whatever the application writes. */
    private static void streams(Communicator world) {
        long expected = LocalCluster.run(1, one -> StreamProgram.run(one, loop -> loop, StreamProgram.NEVER))
                .getFirst();
        equal(expected, StreamProgram.run(world, loop -> loop, 3), "sum over all parts");
    }

    private static void spare(Communicator world) {
        try (ReplicatedArray<double[]> array = array(world, 1); CheckpointLoop loop = loop(world, 1)) {
            LocalRows<double[]> rows = loop.keep(array.local(mine -> new double[(int) mine.blockCount()]));
            equal(world.rank() == world.size() - 1, loop.blocks().isEmpty(), "only the spare has nothing to do");
            loop.run(ITERATIONS, (comm, iteration) -> {
                addOne(comm, rows);
                if (iteration == 8 && comm.size() == world.size()) {
                    die(comm, 0);
                }
            });
            equal((double) ROWS * ITERATIONS, loop.evaluate(comm -> sum(comm, rows)), "sum over all rows");
            holds(!loop.blocks().isEmpty(), "everybody has something to do");
            equal(BlockRanges.EMPTY, array.store().lostBlocks(), "lost blocks");
        }
    }

    /** The PE that has thrown calls the loop again, and all go back together, before one of them fails as well. */
    private static void mistake(Communicator world) {
        try (ReplicatedArray<double[]> array = array(world, 0); CheckpointLoop loop = loop(world, 0)) {
            LocalRows<double[]> rows = loop.keep(array.local(mine -> new double[(int) mine.blockCount()]));
            boolean[] mistaken = {world.rank() == 2};
            CheckpointLoop.Step step = (comm, iteration) -> {
                addOne(comm, rows);
                if (iteration == 7 && mistaken[0]) {
                    mistaken[0] = false;
                    throw new ArithmeticException("a mistake");
                }
                if (iteration == 12 && comm.size() == world.size()) {
                    die(comm, 0);
                }
            };
            if (mistaken[0]) {
                throwing(ArithmeticException.class, () -> loop.run(ITERATIONS, step), "a step with a mistake");
            }
            loop.run(ITERATIONS, step);
            equal((double) ROWS * ITERATIONS, loop.evaluate(comm -> sum(comm, rows)), "sum over all rows");
            equal(world.size() - 1, loop.communicator().size(), "PEs left");
        }
    }
}
