package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;

/**
 * Checkpoints of blocks on nodes whose disks no other node sees; a node loses its disk. Two ranks on each node. Open
 * MPI 6.
 */
@Deep
class NodeCheckpointIT {
    private static final int PER_NODE = 2;
    private static final String CHECKPOINT = "job/checkpoint.1";

    @Test
    void survivorsReadWhatAFailedNodeHadFromTheFilesOfTheOthers() {
        MpiFlavour.ULFM_6.require();
        try (Nodes nodes = Nodes.up(3)) {
            dieAndRecover(nodes, 3, 0, 4, 5);
        }
    }

    @Test
    void sparesOnANodeOfTheirOwnTakePartInThat() {
        MpiFlavour.ULFM_6.require();
        try (Nodes nodes = Nodes.up(4)) {
            dieAndRecover(nodes, 2, PER_NODE, 2, 3);
        }
    }

    @Test
    void aNewJobOnTheSameNodesRebuildsADiskWhereItIs() {
        MpiFlavour.ULFM_6.require();
        try (Nodes nodes = Nodes.up(3)) {
            saveAndEnd(nodes);
            nodes.wipe(2);
            load(nodes, 6);
            assertTrue(Files.exists(nodes.diskOf(2).resolve(CHECKPOINT).resolve("2.blocks")), "rebuilt on node2");
        }
    }

    @Test
    void aNewJobOnFewerNodesRebuildsWhatIsLost() {
        MpiFlavour.ULFM_6.require();
        try (Nodes nodes = Nodes.up(3)) {
            saveAndEnd(nodes);
            // The first two nodes have all ranks now, and the second one other ranks than before.
            nodes.wipe(1);
            load(nodes, 5);
            Path first = nodes.diskOf(1).resolve(CHECKPOINT);
            assertTrue(Files.exists(first.resolve("0.blocks")), "rebuilt where the fewest files are");
        }
    }

    /** The job that saves, and loses a node and its disk. */
    private static void dieAndRecover(Nodes nodes, int victim, int spares, Integer... victims) {
        int ranks = PER_NODE * nodes.count();
        try (MpiJob job = start(nodes, ranks, spares)) {
            awaitOutput(job, ranks, NodeCheckpointProgram.SAVED);
            nodes.kill(victim);
            Set<Integer> failed = new TreeSet<>(Set.of(victims));
            failed.forEach(job::awaitEnd);
            for (int survivor = 0; survivor < ranks - PER_NODE; survivor++) {
                job.awaitReport("failed-" + survivor, failed.toString());
            }
            assertTrue(Files.exists(nodes.diskOf(victim).resolve(CHECKPOINT)), "the disk had files");
            nodes.wipe(victim);
            job.tell("wiped");
            MpiResult result = job.await().requireSuccess();
            assertEquals(failed, result.killedRanks(), "killed ranks");
            for (int rank = 0; rank < ranks; rank++) {
                String output = result.output(rank);
                assertTrue(failed.contains(rank) || output.contains(NodeCheckpointProgram.RECOVERED + failed),
                        result::describe);
            }
        }
    }

    /** A job that saves and is killed, all of it. */
    private static void saveAndEnd(Nodes nodes) {
        int ranks = PER_NODE * nodes.count();
        try (MpiJob job = start(nodes, ranks, 0)) {
            awaitOutput(job, ranks, NodeCheckpointProgram.SAVED);
            nodes.kill(1, 2, 3);
        }
    }

    private static void load(Nodes nodes, int ranks) {
        try (MpiJob job = start(nodes, ranks, 0)) {
            MpiResult result = job.await().requireSuccess();
            for (int rank = 0; rank < ranks; rank++) {
                assertTrue(result.output(rank).contains(NodeCheckpointProgram.LOADED), result::describe);
            }
        }
    }

    private static MpiJob start(Nodes nodes, int ranks, int spares) {
        return MpiJob.of(NodeCheckpointProgram.class, ranks).on(MpiFlavour.ULFM_6).on(nodes)
                .arguments(nodes.disk().toString(), Integer.toString(spares)).start();
    }

    private static void awaitOutput(MpiJob job, int ranks, String text) {
        for (int rank = 0; rank < ranks; rank++) {
            job.awaitOutput(rank, text);
        }
    }
}
