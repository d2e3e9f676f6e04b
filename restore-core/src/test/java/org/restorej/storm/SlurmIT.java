package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.Deep;
import org.restorej.testing.ProjectFolder;

/**
 * Jobs that Slurm runs on three nodes, two ranks on each: the MPI gets hosts from Slurm, and starts its daemons by it.
 */
@Deep
class SlurmIT {
    private static final String NO_KILL = "--no-kill";

    /** Where the ranks are, and how many they are. */
    private static final List<String> PLACES = List.of("node1 6", "node1 6", "node2 6", "node2 6", "node3 6",
            "node3 6");

    private static final int NODES = 3;
    private static final int RANKS = 6;
    private static final int VICTIM = 3;
    private static @Nullable Nodes cluster;

    @BeforeAll
    static void makeNodes() {
        cluster = Nodes.upWithSlurm(NODES);
    }

    /** Also on a node that a test has killed. */
    @BeforeEach
    void startSlurm() {
        nodes().startSlurm();
    }

    @AfterAll
    static void removeNodes() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Nodes nodes() {
        return Objects.requireNonNull(cluster);
    }

    @TestFactory
    Stream<DynamicTest> ranksFillTheNodesOfAnAllocation() {
        return Stream.of(MpiFlavour.OPEN_MPI, MpiFlavour.ULFM, MpiFlavour.ULFM_6)
                .map(flavour -> DynamicTest.dynamicTest(flavour.displayName(), () -> {
                    flavour.require();
                    MpiResult result = submitted(MpiJob.of(WhereProgram.class, RANKS).on(flavour)).run();
                    result.requireSuccess();
                    assertEquals(PLACES, result.outputs().stream().map(String::strip).toList());
                }));
    }

    @Test
    void srunStartsRanksByPmix() {
        MpiFlavour.OPEN_MPI.require();
        assertSrunFillsTheNodes("", "pmix");
    }

    @Test
    void srunStartsRanksOfMpichByPmi2() {
        MpiFlavour.MPICH.require();
        assertSrunFillsTheNodes("--mpi mpich", "pmi2");
    }

    private static void assertSrunFillsTheNodes(String mpi, String plugin) {
        String output = nodes().slurm("bash", "-c", """
                eval "$("$0" %s --print-environment)"
                exec srun --mpi=%s --nodes=3 --ntasks-per-node=2 "$@"
                """.formatted(mpi, plugin), ProjectFolder.script("mpirun-java").toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx256m",
                "-cp", ProjectFiles.classPath(), WhereProgram.class.getName());
        assertEquals(PLACES, output.lines().filter(line -> line.startsWith("node")).sorted().toList(), output);
    }

    @TestFactory
    Stream<DynamicTest> allRanksOfANodeMayDie() {
        return Stream.of(MpiFlavour.ULFM, MpiFlavour.ULFM_6)
                .map(flavour -> DynamicTest.dynamicTest(flavour.displayName(), () -> {
                    flavour.require();
                    NodeJob.allRanksOfANodeDie(() -> start(flavour), VICTIM);
                }));
    }

    @Test
    void aNodeThatFailsTakesNothingWithItUnderOpenMpi6() {
        MpiFlavour.ULFM_6.require();
        try (NodeJob job = start(MpiFlavour.ULFM_6)) {
            killNode(job);
            job.awaitRecovery();
            job.finish();
        }
    }

    /** A limit of its daemons, as without Slurm. It must not hang; the exit code is that of {@code mpirun}. */
    @Test
    void aNodeThatFailsEndsAJobUnderOpenMpi5() {
        MpiFlavour.ULFM.require();
        try (NodeJob job = start(MpiFlavour.ULFM)) {
            killNode(job);
            MpiResult result = job.job().await();
            assertEquals(1, result.exitCode(), result::describe);
        }
    }

    private static void killNode(NodeJob job) {
        job.killNodes(VICTIM);
        assertTrue(nodes().hasFailed(VICTIM), "the node has failed, the daemon of Slurm too");
    }

    private static NodeJob start(MpiFlavour flavour) {
        return NodeJob.start(
                submitted(NodeJob.launch(nodes(), RANKS, flavour, KillStormProgram.BY_HAND, Redundancy.replication(2))),
                nodes(),
                RANKS);
    }

    private static MpiJob.Launch submitted(MpiJob.Launch launch) {
        return launch.on(nodes()).submitted("--nodes=3", "--ntasks-per-node=2", NO_KILL);
    }
}
