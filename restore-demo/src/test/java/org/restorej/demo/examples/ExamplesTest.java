package org.restorej.demo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.crash.ProgramCrashes;
import org.restorej.demo.examples.Flock.Bird;
import org.restorej.testing.Depth;

/** The examples come to what one thread without any library comes to, bit by bit, whoever dies at whatever call. */
class ExamplesTest {
    private static final long SEED = Depth.seed("restorej.crash.seed");

    /** Every so many calls one is tried every day. */
    private static final int CHOSEN = 11;

    private static final int PES = 3;

    /** Far from the end, so that a run is short. */
    private static final double PRECISION = 0.5;

    /**
     * An example.
     *
     * @param run returns a result that shows every bit
     */
    private record Example(String name, Function<Communicator, Object> run, Object expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Example> examples() {
        return Stream.of(
                new Example("heat", world -> Arrays.hashCode(Heat.run(world, -1, PRECISION)),
                        Arrays.hashCode(Sequential.heat(PRECISION))),
                new Example("flock", world -> Flock.run(world, -1, 12), Sequential.flock(12)),
                new Example("k-mers", world -> Kmers.run(world, -1), Sequential.kmers()));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void onAnyNumberOfPesTheResultIsThatOfOneThread(Example example) {
        for (int pes : List.of(1, 2, 5, 8)) {
            for (Object result : LocalCluster.run(pes, example.run()::apply)) {
                assertEquals(example.expected(), result, pes + " PEs");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void whoeverDiesWhereTheResultIsThatOfOneThread(Example example) {
        new ProgramCrashes<>(example.name(), PES, world -> restarted(world, example.run()))
                .everywhere(example.expected(), SEED, Depth.isDeep() ? 1 : CHOSEN);
    }

    @Test
    void thePlateIsAQuarterAsWarmInItsMiddle() {
        double[] plate = LocalCluster.run(4, world -> Heat.run(world, 50, 1e-5)).getFirst();
        assertEquals("25.00 degrees in the middle", Heat.middle(plate));
        assertTrue(Heat.picture(plate).startsWith("=+"), () -> Heat.picture(plate));
    }

    @Test
    void birdsComeToFlyAlikeAndKeepTheirMeanVelocity() {
        List<Bird> before = LocalCluster.run(1, world -> Flock.run(world, -1, 0)).getFirst();
        List<Bird> after = LocalCluster.run(4, world -> Flock.run(world, 20, 100)).getFirst();
        assertEquals(mean(before), mean(after), 1e-12);
        assertEquals(before.size(), after.size());
        assertTrue(spread(after) < spread(before) / 4, spread(before) + " -> " + spread(after));
    }

    private static double mean(List<Bird> birds) {
        return birds.stream().collect(Collectors.averagingDouble(Bird::dx));
    }

    private static double spread(List<Bird> birds) {
        double mean = mean(birds);
        return Math.sqrt(birds.stream().mapToDouble(bird -> bird.dx() - mean).map(dx -> dx * dx).average().orElse(0));
    }

    private static Object restarted(Communicator world, Function<Communicator, Object> program) {
        Communicator current = world;
        while (true) {
            try {
                return program.apply(current);
            } catch (CommunicationFailedException beforeTheFirstGeneration) {
                current.revoke();
                current = current.shrink();
            }
        }
    }
}
