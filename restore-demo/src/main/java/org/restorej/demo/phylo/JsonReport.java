package org.restorej.demo.phylo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.restorej.cli.command.JsonText;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.phylo.run.RunOutcome;
import org.restorej.demo.phylo.run.FailureSchedule;
import org.restorej.demo.phylo.run.RecoverySummary;
import org.restorej.loop.Recovery;

/** The result of a run, for programs: one JSON object. Times are in milliseconds. */
final class JsonReport {
    private static final double NANOS_PER_MILLI = 1e6;

    private final PhyloRequest request;
    private final ObjectNode root = JsonText.object();

    private JsonReport(PhyloRequest request) {
        this.request = request;
    }

    /** All of it, with a line end. Called before MPI ends. */
    static String of(PhyloRequest request, RunOutcome outcome) {
        JsonReport report = new JsonReport(request);
        report.putAnalysis();
        report.putPlan(request.plan());
        report.putRecoveries(outcome.recoveries());
        switch (outcome) {
            case RunOutcome.Finished finished -> report.put(finished);
            case RunOutcome.PatternsLost lost -> report.put(lost);
            case RunOutcome.Ended ended -> report.put(ended);
        }
        report.root.put("exitCode", outcome.exitCode());
        return JsonText.of(report.root);
    }

    private void putAnalysis() {
        root.put("program", "phylo");
        root.put("mode", request.settings().mode().toString());
        root.put("alignment", request.alignmentSource());
        root.put("tree", request.treeSource());
        root.put("model", request.options().model);
        root.put("taxa", request.analysis().patterns().taxonCount());
        root.put("repeat", request.analysis().repeat());
        root.put("sites", request.analysis().siteCount());
        root.put("blocks", request.analysis().blockCount());
        root.put("blockSizeBytes", request.analysis().layout().blockSizeBytes());
    }

    /** The PEs, and the planned failures. */
    private void putPlan(RunPlan plan) {
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
        root.put("processesKilled", plan.kills());
        putSchedule("plannedFailures", plan.failures());
        plan.files().ifPresent(files -> root.put("files", files.toString()));
    }

    private void putSchedule(String name, FailureSchedule schedule) {
        ArrayNode failures = root.putArray(name);
        schedule.failures().forEach(failure -> failures.addObject().put("rank", failure.originalRank())
                .put("iteration", failure.iteration()));
    }

    /** The failed PEs, the iteration, what was pulled, and the time of each phase. */
    private void putRecoveries(List<RecoverySummary> summaries) {
        ArrayNode recoveries = root.putArray("recoveries");
        for (RecoverySummary recovery : summaries) {
            ObjectNode node = recoveries.addObject();
            node.put("iteration", recovery.iteration());
            putRanks(node, recovery.failedRanks());
            node.put("pesLeft", recovery.survivors());
            node.put("blocksPulled", recovery.pulledBlocks());
            node.put("bytesPulled", recovery.pulledBytes());
            ObjectNode millis = node.putObject("millis");
            Long detection = recovery.detectionNanos();
            if (detection != null) {
                millis.put("detection", detection / NANOS_PER_MILLI);
            }
            for (Recovery.Phase phase : Recovery.Phase.values()) {
                millis.put(name(phase), recovery.nanos(phase) / NANOS_PER_MILLI);
            }
            millis.put("total", recovery.totalNanos() / NANOS_PER_MILLI);
        }
    }

    private static String name(Recovery.Phase phase) {
        return phase == Recovery.Phase.TAKE_OVER ? "takeOver" : phase.name().toLowerCase(Locale.ROOT);
    }

    private static void putRanks(ObjectNode node, List<Integer> ranks) {
        ArrayNode array = node.putArray("failedRanks");
        ranks.forEach(array::add);
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

    private void put(RunOutcome.Ended ended) {
        root.put("outcome", ended.exitCode() == Mpi.EXIT_CODE_CONTINUED ? "toBeContinued" : "ended");
        root.put("reason", ended.reason());
    }
}
