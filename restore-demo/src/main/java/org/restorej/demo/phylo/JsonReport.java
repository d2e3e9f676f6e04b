package org.restorej.demo.phylo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.restorej.cli.command.JsonText;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.command.JsonParts;
import org.restorej.demo.phylo.run.RunOutcome;

/** The result of a run, for programs: one JSON object. Times are in milliseconds. */
final class JsonReport {
    private final PhyloRequest request;
    private final ObjectNode root = JsonText.object();

    private JsonReport(PhyloRequest request) {
        this.request = request;
    }

    /** All of it, with a line end. */
    static String of(PhyloRequest request, RunOutcome outcome) {
        JsonReport report = new JsonReport(request);
        report.putRequest();
        JsonParts.putRecoveries(report.root, outcome.recoveries());
        switch (outcome) {
            case RunOutcome.Finished finished -> report.put(finished);
            case RunOutcome.PatternsLost lost -> report.put(lost);
            case RunOutcome.Ended ended -> report.put(ended);
        }
        report.root.put("exitCode", outcome.exitCode());
        return JsonText.of(report.root);
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
        JsonParts.putPlan(root, request.plan());
    }

    private void put(RunOutcome.Finished finished) {
        root.put("outcome", finished.agrees() ? "finished" : "different");
        root.put("pesLeft", finished.survivors());
        JsonParts.putSchedule(root, "failuresNotReached", finished.notReached());
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
        JsonParts.putRanks(root, lost.failedRanks());
        JsonParts.putRanges(root, "lostPatterns", lost.lostPatterns());
    }

    private void put(RunOutcome.Ended ended) {
        root.put("outcome", ended.exitCode() == Mpi.EXIT_CODE_CONTINUED ? "toBeContinued" : "ended");
        root.put("reason", ended.reason());
    }
}
