package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.restorej.cli.RestoreCommand;
import org.restorej.cli.testing.CommandRun;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;

/** The demo's files on disks that each node has for itself: a job that was killed goes on without those of one node. */
@Deep
class NodeRestartIT {
    private static final int NODES = 3;
    private static final int RANKS = 6;
    /** Of the patterns, which don't change. */
    private static final String CHECKPOINT = "demo.constant/checkpoint.1";
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @Test
    void aNewJobGoesOnFromTheFilesOfAllNodesButOne() throws IOException, InterruptedException {
        MpiFlavour.ULFM_6.require();
        try (Nodes nodes = Nodes.up(NODES)) {
            // Where the nodes see it.
            Path folder = Files.createTempDirectory(
                    Files.createDirectories(Path.of("target", "mpi-jobs").toAbsolutePath()), "NodeRestartIT-");
            Path configuration = Files.writeString(folder.resolve("scr.conf"),
                    "SCR_COPY_TYPE=FILE\nSTORE=" + nodes.disk()
                            + "\nCKPT=0 INTERVAL=1 GROUP=NODE STORE=" + nodes.disk() + " TYPE=XOR SET_SIZE=8\n");
            try (MpiJob job = start(nodes, configuration, 100_000_000)) {
                job.pid(0);
                for (int node = 1; node <= NODES; node++) {
                    // Of an iteration: the one before is whole.
                    await(nodes.diskOf(node).resolve("demo/checkpoint.2"));
                }
                nodes.kill(1, 2, 3);
            }
            nodes.wipe(NODES);
            try (MpiJob job = start(nodes, configuration, 1)) {
                MpiResult result = job.await().requireSuccess();
                JsonNode onThreads = CommandRun.of("demo --pes 2 --fail none --iterations 1 --json").json();
                assertEquals(onThreads.get("logLikelihood").asDouble(), logLikelihood(result.output(0)),
                        result::describe);
                assertTrue(result.output(0).contains("going on from iteration "), result::describe);
            }
            Path lost = nodes.diskOf(NODES).resolve(CHECKPOINT);
            assertTrue(Files.exists(lost.resolve("rank.5.redset")) && Files.exists(lost.resolve("4.store0")),
                    "rebuilt on " + lost);
        }
    }

    private static void await(Path file) throws InterruptedException {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!Files.exists(file)) {
            assertTrue(System.nanoTime() < end, "a checkpoint: " + file);
            Thread.sleep(20);
        }
    }

    private static MpiJob start(Nodes nodes, Path configuration, int iterations) {
        String[] arguments = ("demo --transport mpi --pes " + RANKS + " --fail=none --json --iterations "
                + iterations + " --files " + configuration).split(" ");
        return MpiJob.of(RestoreCommand.class, RANKS).on(MpiFlavour.ULFM_6).on(nodes).arguments(arguments).start();
    }

    private static double logLikelihood(String output) throws IOException {
        JsonNode json = new ObjectMapper().readTree(output.substring(output.indexOf('{')));
        return json.get("logLikelihood").asDouble();
    }
}
