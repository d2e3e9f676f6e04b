package org.restorej.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;

/**
 * Spares on a node of their own, the fourth: node2 fails, and they take over its shares, so that the application keeps
 * its size. Ranks fill one node after the other. Open MPI 6.
 */
@Deep
class SpareNodeIT {
    private static final int NODES = 4;
    private static final int RANKS = 8;
    private static final int SPARES = 2;

    @Test
    void theSparesOfANodeTakeTheSharesOfAnother() {
        MpiFlavour.ULFM_6.require();
        try (Nodes nodes = Nodes.up(NODES);
                MpiJob job = MpiJob.of(SpareNodeProgram.class, RANKS).on(MpiFlavour.ULFM_6).on(nodes)
                        .arguments(Integer.toString(SPARES)).start()) {
            for (int rank = 0; rank < RANKS; rank++) {
                job.awaitOutput(rank, SpareNodeProgram.WORKING);
            }
            die(nodes, job, 2, List.of(2, 3));
            awaitPlaces(job, new TreeSet<>(), 0, 1, -1, -1, 4, 5, 2, 3);
            // No spare is left now.
            die(nodes, job, 3, List.of(4, 5));
            awaitPlaces(job, new TreeSet<>(Set.of(4, 5)), 0, 1, -1, -1, -1, -1, 2, 3);
            job.tell(StormCycle.STOP);
            assertEquals(Set.of(2, 3, 4, 5), job.await().requireSuccess().killedRanks(), "killed ranks");
        }
    }

    private static void die(Nodes nodes, MpiJob job, int node, List<Integer> ranks) {
        nodes.kill(node);
        ranks.forEach(job::awaitEnd);
    }

    /** Ranks in the store of all ranks that are alive; -1 for the failed. */
    private static void awaitPlaces(MpiJob job, SortedSet<Integer> failed, int... places) {
        for (int rank = 0; rank < places.length; rank++) {
            if (places[rank] >= 0) {
                job.awaitReport(SpareNodeProgram.placeReport(rank), SpareNodeProgram.place(places[rank], failed));
            }
        }
    }
}
