package org.restorej.demo.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.restorej.block.BlockRanges;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.run.FailureSchedule;
import org.restorej.demo.run.RecoverySummary;
import org.restorej.demo.transport.Transport;
import org.restorej.loop.Recovery;

/** Parts of a result for programs that all demos have. Times are in milliseconds. */
public final class JsonParts {
    private static final double NANOS_PER_MILLI = 1e6;

    private JsonParts() {}

    /** Where it ran, and who was to fail. Called before MPI ends. */
    public static void putPlan(ObjectNode root, RunPlan plan) {
        root.put("transport", plan.transport().toString());
        if (plan.transport() == Transport.MPI) {
            root.put("mpi", Mpi.description());
        }
        root.put("pes", plan.pes());
        if (plan.redundancy().isCoded()) {
            root.put("coded", plan.redundancy().value());
        } else {
            root.put("replication", plan.redundancy().parts());
        }
        root.put("processesKilled", plan.processesDie());
        putSchedule(root, "plannedFailures", plan.failures());
        plan.files().ifPresent(files -> root.put("files", files.toString()));
    }

    /** Who fails when. */
    public static void putSchedule(ObjectNode root, String name, FailureSchedule schedule) {
        ArrayNode failures = root.putArray(name);
        schedule.failures().forEach(failure -> failures.addObject().put("rank", failure.originalRank())
                .put("iteration", failure.iteration()));
    }

    /** An array {@code recoveries}: who failed in which iteration, what was pulled, and the time of each phase. */
    public static void putRecoveries(ObjectNode root, List<RecoverySummary> summaries) {
        ArrayNode recoveries = root.putArray("recoveries");
        for (RecoverySummary recovery : summaries) {
            ObjectNode node = recoveries.addObject();
            node.put("iteration", recovery.iteration());
            putRanks(node, recovery.failedRanks());
            node.put("pesLeft", recovery.survivors());
            node.put("blocksPulled", recovery.pulledBlocks());
            node.put("bytesPulled", recovery.pulledBytes());
            ObjectNode millis = node.putObject("millis");
            recovery.detectionNanos().ifPresent(nanos -> putMillis(millis, "detection", nanos));
            for (Recovery.Phase phase : Recovery.Phase.values()) {
                putMillis(millis, name(phase), recovery.phaseNanos().getOrDefault(phase, 0L));
            }
            putMillis(millis, "total", recovery.totalNanos());
        }
    }

    /** Nanoseconds as milliseconds. */
    public static void putMillis(ObjectNode node, String name, long nanos) {
        node.put(name, nanos / NANOS_PER_MILLI);
    }

    private static String name(Recovery.Phase phase) {
        return phase == Recovery.Phase.TAKE_OVER ? "takeOver" : phase.name().toLowerCase(Locale.ROOT);
    }

    /** Who has failed. */
    public static void putRanks(ObjectNode node, List<Integer> ranks) {
        ArrayNode array = node.putArray("failedRanks");
        ranks.forEach(array::add);
    }

    /** Runs of blocks. */
    public static void putRanges(ObjectNode node, String name, BlockRanges blocks) {
        ArrayNode ranges = node.putArray(name);
        blocks.runs().forEach(run -> ranges.addObject().put("first", run.first()).put("count", run.count()));
    }
}
