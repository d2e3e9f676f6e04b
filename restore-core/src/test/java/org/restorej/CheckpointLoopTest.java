package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.local.LocalCluster;
import org.restorej.crash.ProgramCrashes;
import org.restorej.testing.Depth;

/** The loop with data that change: whoever dies at whatever call, the result is that of a run in which nobody does. */
class CheckpointLoopTest {
    private static final long SEED = Depth.seed("restorej.crash.seed");

    static Stream<Arguments> programs() {
        return Stream.of(
                program("one store", 1, loop -> loop, CheckpointInterval.iterations(2)),
                program("two stores", 2, loop -> loop, CheckpointInterval.iterations(3)),
                program("incremental", 1, CheckpointLoop::incremental, CheckpointInterval.iterations(2)),
                program("two stores, incremental", 2, CheckpointLoop::incremental, CheckpointInterval.iterations(1)),
                program("in the background", 2, CheckpointLoop::inBackground, CheckpointInterval.iterations(2)));
    }

    private static Arguments program(String name, int stores, UnaryOperator<CheckpointLoop> options,
            CheckpointInterval interval) {
        return Arguments.of(name, new CheckpointLoopProgram(stores, options, interval));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void whoeverDiesWhereTheResultIsTheSame(String name, CheckpointLoopProgram program) {
        List<Long> expected = LocalCluster.run(1, program::run).getFirst();
        assertEquals(List.of(expected, expected, expected), LocalCluster.run(3, program::run), "without deaths");
        new ProgramCrashes<>(name, 3, world -> restarted(world, program)).everywhere(expected, SEED, Depth.trials(5, 1));
    }

    /** A death while a store is built leaves no store: the survivors begin again. */
    private static List<Long> restarted(Communicator world, CheckpointLoopProgram program) {
        Communicator current = world;
        while (true) {
            try {
                return program.run(current);
            } catch (ProcessFailedException | CommunicatorRevokedException beforeTheFirstGeneration) {
                current.revoke();
                current = current.shrink();
            }
        }
    }
}
