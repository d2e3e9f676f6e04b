package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;
import org.restorej.testing.Deep;
import org.restorej.testing.Failures;
import org.restorej.testing.Seed;

/** The loop with data that change: whoever fails at whatever call, the result is that of a run in which nobody does. */
class CheckpointLoopTest {
    /** Every day a PE fails at one of so many calls, in a deep run at each. */
    private static final int CHOSEN = 32;

    private static final long SEED = Seed.of(CheckpointLoopTest.class);

    static Stream<Arguments> programs() {
        return Stream.of(
                program("one store", 1, loop -> loop, CheckpointInterval.iterations(2)),
                program("two stores", 2, loop -> loop, CheckpointInterval.iterations(3)),
                // Nothing takes that long: the number of iterations doubles from checkpoint to checkpoint.
                program("by time", 1, loop -> loop, CheckpointInterval.time(Duration.ofDays(1))),
                program("in the background", 2, CheckpointLoop::inBackground, CheckpointInterval.iterations(2)));
    }

    private static Arguments program(String name, int stores, UnaryOperator<CheckpointLoop> options,
            CheckpointInterval interval) {
        return Arguments.of(name, new CheckpointLoopProgram(stores, options, interval));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void whoeverFailsTheResultIsTheSame(String name, CheckpointLoopProgram program) {
        crash(program, CHOSEN);
    }

    @Deep
    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void whoeverFailsWhereTheResultIsTheSame(String name, CheckpointLoopProgram program) {
        crash(program, 1);
    }

    /** Kills each PE at its calls, sometimes a second one while the survivors recover. */
    private static <T> void crashEverywhere(PeProgram<T> program, T expected, int oneIn) {
        long memoryBefore = NativeMemory.openBytes();
        FailureAtEveryCall.of(3, program).seed(SEED).everyNth(oneIn).secondFailures(3).expecting(expected).run();
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }

    private static void crash(CheckpointLoopProgram program, int oneIn) {
        List<Long> expected = LocalCluster.run(1, program::run).getFirst();
        assertEquals(List.of(expected, expected, expected), LocalCluster.run(3, program::run), "without failures");
        crashEverywhere(LocalCluster.restarting(program::run), expected, oneIn);
    }

    /** A group is made anew in each iteration; a failure anywhere leaves nobody waiting in one, nor for one. */
    @Test
    void iterationsMaySplitTheirCommunicator() {
        crashSplitting(CHOSEN);
    }

    @Deep
    @Test
    void iterationsMaySplitTheirCommunicatorWhoeverFailsWhere() {
        crashSplitting(1);
    }

    private static void crashSplitting(int oneIn) {
        PeProgram<Long> program = LocalCluster.restarting(world -> {
            try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world), 8, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), 8),
                            CheckpointInterval.iterations(2))) {
                LocalRows<int[]> rows = loop.keep(array.local(CheckpointLoopTest::zeros));
                loop.run(3, (comm, iteration) -> {
                    try (Communicator half = comm.split(comm.rank() % 2).orElseThrow()) {
                        int groups = (int) half.allReduce(1L, Reduction.MAX);
                        Arrays.setAll(rows.values(), i -> rows.values()[i] + groups);
                    }
                });
                return loop.evaluate(comm -> comm.allReduce(Arrays.stream(rows.values()).asLongStream().sum(),
                        Reduction.SUM));
            }
        });
        crashEverywhere(program, 24L, oneIn);
    }

    static Stream<Arguments> streams() {
        return Stream.of(Arguments.of("streams", (UnaryOperator<CheckpointLoop>) loop -> loop),
                Arguments.of("streams, in the background",
                        (UnaryOperator<CheckpointLoop>) CheckpointLoop::inBackground));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("streams")
    void whoeverFailsPartsOfUnknownLengthsAreTheSame(String name, UnaryOperator<CheckpointLoop> options) {
        crashStreams(options, CHOSEN);
    }

    @Deep
    @ParameterizedTest(name = "{0}")
    @MethodSource("streams")
    void whoeverFailsWherePartsOfUnknownLengthsAreTheSame(String name, UnaryOperator<CheckpointLoop> options) {
        crashStreams(options, 1);
    }

    private static void crashStreams(UnaryOperator<CheckpointLoop> options, int oneIn) {
        PeProgram<Long> program = LocalCluster
                .restarting(world -> StreamProgram.run(world, options, StreamProgram.NEVER));
        long expected = LocalCluster.run(1, program).getFirst();
        crashEverywhere(program, expected, oneIn);
    }

    /** As it is in a program that has lost PEs before it begins, or that shares its communicator with others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3})
    void anyCommunicatorWillDo(int failed) {
        CheckpointLoopProgram program = new CheckpointLoopProgram(2, loop -> loop, CheckpointInterval.iterations(2));
        List<Long> expected = LocalCluster.run(1, program::run).getFirst();
        List<List<Long>> results = LocalCluster.run(4, world -> {
            try (Communicator duplicate = Failures.lose(world, failed).duplicate()) {
                return program.run(duplicate);
            }
        });
        assertEquals(List.of(expected, expected, expected), results);
    }

    /** What changes between two runs is not the loop's, and a run to where it is already does nothing. */
    @Test
    void aRunToTheSameIterationDoesNothing() {
        LocalCluster.run(2, world -> {
            try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world).replication(2), 10, 1);
                    CheckpointLoop loop = loop(world, 10)) {
                LocalRows<int[]> rows = loop.keep(array.local(CheckpointLoopTest::zeros));
                loop.run(4, (comm, iteration) -> rows.values()[0]++);
                long generation = array.store().generation();
                loop.run(4, (comm, iteration) -> rows.values()[0]++);
                loop.run(2, (comm, iteration) -> rows.values()[0]++);
                assertEquals(4, rows.values()[0]);
                assertEquals(generation, array.store().generation());
                return 0;
            }
        });
    }

    private static CheckpointLoop loop(Communicator world, long blocks) {
        return new CheckpointLoop(world, LoadBalancer.equal(world.size(), blocks),
                CheckpointInterval.iterations(Long.MAX_VALUE));
    }

    private static int[] zeros(BlockRanges rows) {
        return new int[(int) rows.blockCount()];
    }
}
