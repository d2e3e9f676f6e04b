package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/**
 * Jobs on nodes with disks of their own, of which ranks and whole nodes are killed. On the nodes that are left, they go
 * on from the files there, and have the result of a job without failures.
 */
@Deep
class RestartOnNodesIT {
    private static final MpiFlavour[] FLAVOURS = {MpiFlavour.OPEN_MPI, MpiFlavour.ULFM, MpiFlavour.OPEN_MPI_6};
    private static final int NODES = 3;
    private static final int RANKS = 6;
    /** The first is that of the launcher; the others are killed, one after the other. */
    private static final int NODES_LEFT = 1;
    private static final long ITERATIONS = 60;
    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    @TestFactory
    Stream<DynamicTest> aJobGoesOnOnTheNodesThatAreLeft() {
        return Stream.of(FLAVOURS)
                .map(flavour -> DynamicTest.dynamicTest(flavour.displayName(), () -> {
                    flavour.require();
                    try (Nodes nodes = Nodes.up(NODES)) {
                        goesOn(nodes, flavour, launch -> launch);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> aJobGoesOnInItsAllocationOfSlurm() {
        return Stream.concat(Stream.of(FLAVOURS), Stream.of(MpiFlavour.MPICH))
                .map(flavour -> DynamicTest.dynamicTest(flavour.displayName(), () -> {
                    flavour.require();
                    try (Nodes nodes = Nodes.upWithSlurm(NODES)) {
                        goesOn(nodes, flavour,
                                launch -> launch.submitted("--nodes=3", "--ntasks-per-node=2", "--no-kill"));
                    }
                }));
    }

    private interface Submitted {
        MpiJob.Launch by(MpiJob.Launch launch);
    }

    private static void goesOn(Nodes nodes, MpiFlavour flavour, Submitted submitted) throws IOException {
        long seed = Seed.of("nodes " + flavour);
        // Open MPI 5 survives what happens to a rank, and ends when a node fails.
        int turn = flavour == MpiFlavour.ULFM ? 1 : 2;
        int kills = turn * (NODES - NODES_LEFT);
        // Where the nodes see it.
        Path folder = Files.createTempDirectory(
                Files.createDirectories(Path.of("target", "mpi-jobs").toAbsolutePath()), "RestartOnNodesIT-");
        MpiJob.Launch launch = MpiJob.of(RestartStormProgram.class, RANKS).on(flavour).on(nodes).restarts(kills)
                .timeout(TIMEOUT).arguments(folder.toString(), Long.toString(ITERATIONS),
                        "2", Long.toString(seed), Integer.toString(kills), nodes.disk().toString(),
                        Integer.toString(turn));
        try (MpiJob job = submitted.by(launch).start()) {
            for (int start = turn - 1, node = NODES; node > NODES_LEFT; start += turn, node--) {
                job.awaitReport("kill-" + start, "node" + node);
                nodes.cut(node);
                nodes.kill(node);
                nodes.wipe(node);
            }
            MpiResult result = job.await().requireSuccess();
            String expected = "it has come to " + LoopJob.expected(ITERATIONS);
            assertTrue(result.output(0).contains(expected), result::describe);
            assertTrue(IntStream.range(0, kills).allMatch(start -> job.report("kill-" + start).isPresent()),
                    result::describe);
            assertEquals(kills, result.log().lines().filter(line -> line.contains("is started again")).count(),
                    result::describe);
            assertTrue(result.log().contains("there is room for 2 ranks"), result::describe);
        }
    }
}
