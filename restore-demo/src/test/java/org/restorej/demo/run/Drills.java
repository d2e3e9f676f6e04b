package org.restorej.demo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;

/** Runs drills on threads, and checks what holds for all of them. */
public final class Drills {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private Drills() {}

    /** Failures as they are written; none for an empty text. */
    public static FailureSchedule failures(String text) {
        List<String> errors = new ArrayList<>();
        FailureSchedule schedule = text.isEmpty() ? FailureSchedule.NONE : FailureSchedule.parse(text, errors);
        assertEquals(List.of(), errors);
        return schedule;
    }

    /** What the survivors say, which is the same of all. */
    public static <R> DrillOutcome<R> run(int pes, Function<Communicator, PeTask<DrillOutcome<R>>> task) {
        try (LocalCluster cluster = LocalCluster.builder(pes).timeout(TIMEOUT).build()) {
            List<DrillOutcome<R>> outcomes = PeOutcome.values(cluster.run(world -> task.apply(world).run()));
            for (DrillOutcome<R> outcome : outcomes) {
                assertEquals(outcomes.getFirst(), outcome);
            }
            assertEquals(outcomes.size(), outcomes.getFirst().survivors());
            assertEquals(0, cluster.unreceivedMessages());
            return outcomes.getFirst();
        }
    }

    /** The result of a drill in which all planned failures happened and left no trace. */
    public static <R> R survived(int pes, String failures, Function<Communicator, PeTask<DrillOutcome<R>>> task) {
        if (!(run(pes, task) instanceof DrillOutcome.Finished<R> finished)) {
            throw new AssertionError("blocks were lost");
        }
        List<FailureSchedule.Failure> happened = finished.recoveries().stream().flatMap(recovery -> recovery
                .failedRanks().stream().map(rank -> new FailureSchedule.Failure(rank, recovery.iteration()))).toList();
        assertEquals(failures(failures), new FailureSchedule(happened));
        assertEquals(pes - happened.size(), finished.survivors());
        assertTrue(finished.agrees(), () -> finished.result() + " instead of " + finished.reference());
        assertEquals(0, finished.exitCode());
        return finished.result();
    }
}
