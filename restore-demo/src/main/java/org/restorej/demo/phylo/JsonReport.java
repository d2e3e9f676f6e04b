package org.restorej.demo.phylo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.restorej.Recovery;
import org.restorej.demo.phylo.run.FailureSchedule;
import org.restorej.demo.phylo.run.RecoverySummary;
import org.restorej.demo.phylo.run.RunOutcome;

/** The result of a run, for programs: one JSON object. Times are in milliseconds. */
final class JsonReport {
    private static final double NANOS_PER_MILLI = 1e6;

    private final PhyloRequest request;
    private final RunOutcome outcome;
    private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final ObjectNode root = mapper.createObjectNode();

    private JsonReport(PhyloRequest request, RunOutcome outcome) {
        this.request = request;
        this.outcome = outcome;
    }

    /** All of it, with a line end. */
    static String of(PhyloRequest request, RunOutcome outcome) {
        JsonReport report = new JsonReport(request, outcome);
        report.putRequest();
        report.putRecoveries();
        switch (outcome) {
            case RunOutcome.Finished finished -> report.put(finished);
            case RunOutcome.PatternsLost lost -> report.put(lost);
        }
        report.root.put("exitCode", outcome.exitCode());
        try {
            return report.mapper.writeValueAsString(report.root) + System.lineSeparator();
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values can be written", impossible);
        }
    }

    private void putRequest() {
        root.put("program", "phylo");
        root.put("mode", request.settings().mode().toString());
        root.put("alignment", request.alignmentSource());
        root.put("tree", request.treeSource());
        root.put("model", request.model());
        root.put("taxa", request.analysis().patterns().taxonCount());
        root.put("repeat", request.analysis().repeat());
        root.put("sites", request.analysis().siteCount());
        root.put("blocks", request.analysis().blockCount());
        root.put("blockSizeBytes", request.analysis().layout().blockSizeBytes());
        root.put("transport", request.transport().toString());
        root.put("pes", request.pes());
        root.put("replication", request.settings().replication());
        root.put("processesKilled", request.processesDie());
        putSchedule("plannedFailures", request.settings().failures());
    }

    private void putSchedule(String name, FailureSchedule schedule) {
        ArrayNode failures = root.putArray(name);
        schedule.failures().forEach(failure -> failures.addObject().put("rank", failure.originalRank())
                .put("iteration", failure.iteration()));
    }

    private void putRecoveries() {
        ArrayNode recoveries = root.putArray("recoveries");
        for (RecoverySummary recovery : outcome.recoveries()) {
            ObjectNode node = recoveries.addObject();
            node.put("iteration", recovery.iteration());
            putRanks(node, recovery.failedRanks());
            node.put("pesLeft", recovery.survivors());
            node.put("blocksPulled", recovery.pulledBlocks());
            node.put("bytesPulled", recovery.pulledBytes());
            ObjectNode millis = node.putObject("millis");
            recovery.detectionNanos().ifPresent(nanos -> millis.put("detection", nanos / NANOS_PER_MILLI));
            for (Recovery.Phase phase : Recovery.Phase.values()) {
                millis.put(name(phase), recovery.phaseNanos().getOrDefault(phase, 0L) / NANOS_PER_MILLI);
            }
            millis.put("total", recovery.totalNanos() / NANOS_PER_MILLI);
        }
    }

    private static void putRanks(ObjectNode node, List<Integer> ranks) {
        ArrayNode array = node.putArray("failedRanks");
        ranks.forEach(array::add);
    }

    private static String name(Recovery.Phase phase) {
        return phase == Recovery.Phase.TAKE_OVER ? "takeOver" : phase.name().toLowerCase(Locale.ROOT);
    }

    private void put(RunOutcome.Finished finished) {
        root.put("outcome", finished.agrees() ? "finished" : "different");
        root.put("pesLeft", finished.survivors());
        putSchedule("failuresNotReached", finished.notReached());
        root.put("iterations", finished.iterations());
        root.put("converged", finished.converged());
        ObjectNode memory = root.putObject("memoryPerPe");
        memory.put("storeBytes", finished.storeBytes());
        memory.put("patternBytes", finished.patternBytes());
        finished.result().alpha().ifPresent(alpha -> root.put("alpha", alpha));
        root.put("logLikelihood", finished.result().logLikelihood());
        root.put("logLikelihoodWithoutFailures", finished.logLikelihoodWithoutFailures());
        root.put("relativeDifference", finished.relativeDifference());
        root.put("agrees", finished.agrees());
    }

    private void put(RunOutcome.PatternsLost lost) {
        root.put("outcome", "patternsLost");
        root.put("pesLeft", lost.survivors());
        root.put("lostInIteration", lost.iteration());
        putRanks(root, lost.failedRanks());
        ArrayNode ranges = root.putArray("lostPatterns");
        lost.lostPatterns().runs()
                .forEach(run -> ranges.addObject().put("first", run.first()).put("count", run.count()));
    }
}
