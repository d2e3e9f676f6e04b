package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;

/**
 * A {@link KillStormProgram} on nodes, to which ranks are dealt out one by one, so that rank r is on node r mod N + 1.
 * Knows who is to be failed, and checks that the others have all data. One thread.
 */
final class NodeJob implements AutoCloseable {
    /** Of Open MPI 5 and 6. */
    private static final String MAPPING = "PRTE_MCA_rmaps_default_mapping_policy";

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    /** Of 5.0.7 and 6.0.0rc2, sometimes, when ranks of another node die: docs/troubleshooting.md, other crashes. */
    private static final String CRASH_OF_OPEN_MPI = "mca_pml_ob1_recv_request_schedule_once";

    private final MpiJob job;
    private final Nodes nodes;
    private final int ranks;
    private final TreeSet<Integer> failed = new TreeSet<>();

    private NodeJob(MpiJob job, Nodes nodes, int ranks) {
        this.job = job;
        this.nodes = nodes;
        this.ranks = ranks;
    }

    /**
     * Starts a job, and returns when all ranks are at work.
     *
     * @param recovery {@link KillStormProgram#BY_HAND} or {@link KillStormProgram#LOOP}
     */
    static NodeJob start(Nodes nodes, int ranks, MpiFlavour flavour, String recovery, Redundancy redundancy) {
        return start(launch(nodes, ranks, flavour, recovery, redundancy), nodes, ranks);
    }

    /** Kills all ranks of a node; the others go on. Once more where Open MPI itself has crashed: a further failure. */
    static void allRanksOfANodeDie(Supplier<NodeJob> start, int node) {
        try {
            killAllRanksOf(node, start);
        } catch (AssertionError failure) {
            if (!String.valueOf(failure.getMessage()).contains(CRASH_OF_OPEN_MPI)) {
                throw failure;
            }
            System.err.println("AGAIN, once, since Open MPI itself has crashed: " + CRASH_OF_OPEN_MPI);
            killAllRanksOf(node, start);
        }
    }

    private static void killAllRanksOf(int node, Supplier<NodeJob> start) {
        try (NodeJob job = start.get()) {
            job.killRanks(job.ranksOn(node).stream().mapToInt(Integer::intValue).toArray());
            job.awaitRecovery();
            job.finish();
        }
    }

    /** What {@link #start(Nodes, int, MpiFlavour, String, Redundancy)} starts. */
    static MpiJob.Launch launch(Nodes nodes, int ranks, MpiFlavour flavour, String recovery, Redundancy redundancy) {
        return MpiJob.of(KillStormProgram.class, ranks).on(flavour).on(nodes)
                .environment(MAPPING, "node:OVERSUBSCRIBE").arguments(recovery, redundancy.toString())
                .timeout(TIMEOUT);
    }

    /** Starts a job that was launched otherwise, and returns when all ranks are at work. */
    static NodeJob start(MpiJob.Launch launch, Nodes nodes, int ranks) {
        MpiJob job = launch.start();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                job.awaitOutput(rank, KillStormProgram.WORKING);
            }
        } catch (AssertionError failure) {
            job.close();
            throw failure;
        }
        return new NodeJob(job, nodes, ranks);
    }

    /** The job itself, to tell it something. */
    MpiJob job() {
        return job;
    }

    /** The ranks on a node, lowest first. */
    List<Integer> ranksOn(int node) {
        return IntStream.range(0, ranks).filter(rank -> rank % nodes.count() == node - 1).boxed().toList();
    }

    /** Lets the first rank on a node stop at a place, of {@link Hold}, when it comes there. */
    void holdOn(int node, String place) {
        job.tell(Hold.order(ranksOn(node).getFirst(), place));
    }

    /** Returns when the first rank on a node has stopped. */
    void awaitHeld(int node, String place) {
        job.awaitReport(Hold.report(ranksOn(node).getFirst()), place);
    }

    /** Kills nodes in the same moment, and returns when their ranks are gone. */
    void killNodes(int... victims) {
        nodes.kill(victims);
        IntStream.of(victims).forEach(this::awaitFailure);
    }

    /** Returns when all ranks on a node are gone, which something else is to see to. */
    void awaitFailure(int node) {
        ranksOn(node).forEach(job::awaitEnd);
        failed.addAll(ranksOn(node));
    }

    /** Kills ranks, and nothing else on their nodes. */
    void killRanks(int... victims) {
        job.kill(victims);
        IntStream.of(victims).forEach(failed::add);
    }

    /** Returns when all survivors have recovered from all failures so far, and have checked all data. */
    void awaitRecovery() {
        for (int rank = 0; rank < ranks; rank++) {
            if (!failed.contains(rank)) {
                job.awaitReport(KillStormProgram.recoveryReport(rank), failed.toString());
            }
        }
    }

    /** Reports of the ranks that have come to the end of their program. */
    List<String> ends() {
        return IntStream.range(0, ranks).mapToObj(rank -> job.report(KillStormProgram.endReport(rank)))
                .flatMap(Optional::stream).toList();
    }

    /** Lets the job end, and checks that the survivors have all data and agree on who has failed. */
    MpiResult finish() {
        job.tell(StormCycle.STOP);
        return awaitEnd();
    }

    /** Checks the end of a job that knows that it is to stop. */
    MpiResult awaitEnd() {
        MpiResult result = job.await().requireSuccess();
        assertEquals(Set.copyOf(failed), result.killedRanks(), "killed ranks");
        List<String> ends = ends();
        assertEquals(ranks - failed.size(), ends.size(), () -> "ranks that came to the end\n" + result.describe());
        String told = "failed=" + failed;
        for (String end : ends) {
            assertTrue(end.startsWith("OK") && end.endsWith(told), () -> end + " without " + told);
            assertEquals(ends.getFirst(), end, "end of every rank");
        }
        return result;
    }

    @Override
    public void close() {
        job.close();
    }
}
