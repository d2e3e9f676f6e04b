package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;

/**
 * Nodes that can't answer for a while, and those that never will: only the latter have failed. Three nodes of two ranks,
 * as in {@link NodeFailureIT}.
 */
@Deep
class NodeTroubleIT {
    private static final int NODES = 3;
    private static final int RANKS = 6;

    /** The node that is in trouble. */
    private static final int VICTIM = 3;

    private static final Duration LINK_AWAY = Duration.ofSeconds(5);
    private static final Duration STOPPED = Duration.ofSeconds(10);
    private static final int LOAD = 30;
    private static final Duration LOADED = Duration.ofSeconds(20);
    private static Nodes nodes;

    /** What may happen to a node. */
    private interface Trouble {
        void befall(NodeJob job) throws IOException, InterruptedException;
    }

    @BeforeAll
    static void makeNodes() {
        nodes = Nodes.up(NODES);
    }

    @AfterAll
    static void removeNodes() {
        if (nodes != null) {
            nodes.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> aLinkThatIsAwayForFiveSecondsChangesNothing() {
        return nothingHappens(job -> {
            nodes.cut(VICTIM);
            try {
                job.job().tell(StormCycle.STOP);
                Thread.sleep(LINK_AWAY);
                assertEquals(List.of(), job.ends(), "ranks that came to an end without a link");
            } finally {
                nodes.heal(VICTIM);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aRankThatIsStoppedForTenSecondsIsNotTakenForFailed() {
        return nothingHappens(job -> {
            long pid = job.job().pid(job.ranksOn(VICTIM).getFirst());
            signal("STOP", pid);
            try {
                job.job().tell(StormCycle.STOP);
                Thread.sleep(STOPPED);
                assertTrue(isStopped(pid), "the rank is stopped");
                assertEquals(List.of(), job.ends(), "ranks that came to an end without one of them");
            } finally {
                signal("CONT", pid);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aNodeAtALoadOfThirtyIsNotTakenForFailed() {
        return nothingHappens(job -> {
            assertEquals(LOAD, nodes.load(VICTIM, LOAD, LOADED), "processes that kept the node busy");
            job.job().tell(StormCycle.STOP);
        });
    }

    @Test
    void aNodeWhoseLinkIsAwayForGoodHasFailed() {
        MpiFlavour.ULFM_6.require();
        try (NodeJob job = start(MpiFlavour.ULFM_6)) {
            nodes.cut(VICTIM);
            // The daemon beyond the cut notices, too, and ends its ranks.
            job.awaitFailure(VICTIM);
            job.awaitRecovery();
            job.finish();
        } finally {
            nodes.kill(VICTIM);
            nodes.heal(VICTIM);
        }
    }

    /** It must not hang. */
    @Test
    void aLinkThatIsAwayForGoodEndsAJobUnderOpenMpi5() {
        MpiFlavour.ULFM.require();
        try (NodeJob job = start(MpiFlavour.ULFM)) {
            nodes.cut(VICTIM);
            MpiResult result = job.job().await();
            assertNotEquals(0, result.exitCode(), "exit code");
            assertNotEquals(124, result.exitCode(), () -> "exit code: a timeout\n" + result.describe());
        } finally {
            nodes.kill(VICTIM);
            nodes.heal(VICTIM);
        }
    }

    /** Beside a job that is told to stop meanwhile: it ends with all ranks, none of whom was ever missing. */
    private static Stream<DynamicTest> nothingHappens(Trouble trouble) {
        return Stream.of(MpiFlavour.ULFM, MpiFlavour.ULFM_6)
                .map(flavour -> DynamicTest.dynamicTest(flavour.displayName(), () -> {
                    flavour.require();
                    try (NodeJob job = start(flavour)) {
                        trouble.befall(job);
                        job.awaitEnd();
                    }
                }));
    }

    private static NodeJob start(MpiFlavour flavour) {
        return NodeJob.start(nodes, RANKS, flavour, KillStormProgram.BY_HAND, Redundancy.replication(2));
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start();
        assertEquals(0, kill.waitFor(), "exit code of kill");
    }

    private static boolean isStopped(long pid) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(pid), "status")).contains("State:\tT");
    }
}
