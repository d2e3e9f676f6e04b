package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.restorej.cli.RestoreCommand;
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
    private static final String CHECKPOINT = "phylo/checkpoint.1";
    /** Of two ranks: blocks, redundancy, its checksums and descriptor, and nothing that is under way. */
    private static final int FILES = 2 * 4;
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @Test
    void aNewJobGoesOnFromTheFilesOfAllNodesButOne() throws IOException, InterruptedException {
        MpiFlavour.ULFM_6.require();
        try (Nodes nodes = Nodes.up(NODES)) {
            Path lost = nodes.diskOf(NODES).resolve(CHECKPOINT);
            Path last = lost.resolve("rank.5.redset");
            try (MpiJob job = start(nodes, "--iterations", "100000000", "--checkpoint", nodes.disk().toString(),
                    "--scheme", "XOR")) {
                job.pid(0);
                for (int node = 1; node <= NODES; node++) {
                    awaitFiles(nodes.diskOf(node).resolve(CHECKPOINT));
                }
                nodes.kill(1, 2, 3);
            }
            nodes.wipe(NODES);
            try (MpiJob job = start(nodes, "--iterations", "1", "--output", "json", "--restart",
                    nodes.disk().toString())) {
                MpiResult result = job.await().requireSuccess();
                assertEquals(withoutMpi(), logLikelihood(result.output(0)), result::describe);
            }
            assertTrue(Files.exists(last) && Files.exists(lost.resolve("4.blocks")), "rebuilt on " + lost);
        }
    }

    private static void awaitFiles(Path directory) throws InterruptedException {
        long end = System.nanoTime() + LONGEST.toNanos();
        String[] names = directory.toFile().list();
        while (names == null || names.length != FILES) {
            assertTrue(System.nanoTime() < end, "a whole checkpoint in " + directory);
            Thread.sleep(20);
            names = directory.toFile().list();
        }
    }

    private static MpiJob start(Nodes nodes, String... options) {
        String[] arguments = new String[6 + options.length];
        System.arraycopy(new String[]{"demo", "--transport", "mpi", "--pes", Integer.toString(RANKS),
                "--fail-random=0"}, 0, arguments, 0, 6);
        System.arraycopy(options, 0, arguments, 6, options.length);
        return MpiJob.of(RestoreCommand.class, RANKS).on(MpiFlavour.ULFM_6).on(nodes).arguments(arguments).start();
    }

    private static double withoutMpi() throws IOException {
        StringWriter output = new StringWriter();
        assertEquals(0,
                RestoreCommand.run(new PrintWriter(output), new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                        "demo", "--pes",
                        "2", "--fail-random=0", "--iterations", "1", "--output", "json"));
        return logLikelihood(output.toString());
    }

    private static double logLikelihood(String output) throws IOException {
        JsonNode json = new ObjectMapper().readTree(output.substring(output.indexOf('{')));
        return json.get("logLikelihood").asDouble();
    }
}
