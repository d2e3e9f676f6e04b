package org.restorej.demo.phylo;

import static org.restorej.demo.command.TextParts.fact;
import static org.restorej.demo.command.TextParts.listed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.restorej.demo.command.TextParts;
import org.restorej.demo.phylo.run.Analysis;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.phylo.run.RunOutcome;

/** The result of a run, for people. */
final class TextReport {
    private TextReport() {}

    /** All of it, with a line end. */
    static String of(PhyloRequest request, RunOutcome outcome) {
        StringBuilder text = new StringBuilder();
        text.append(header(request)).append(System.lineSeparator());
        text.append(TextParts.recoveryTable(outcome.recoveries()));
        text.append(switch (outcome) {
            case RunOutcome.Finished finished -> facts(request, finished);
            case RunOutcome.PatternsLost lost -> fact("PEs left", lost.survivors() + " of " + request.plan().pes())
                    + fact("lost patterns", listed(lost.lostPatterns()));
            case RunOutcome.Ended _ -> "";
        });
        return text.toString();
    }

    /** One sentence for standard error when the run failed. */
    static Optional<String> failure(PhyloRequest request, RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Finished finished when finished.agrees() -> Optional.empty();
            case RunOutcome.Finished finished -> Optional.of(String.format(Locale.ROOT,
                    "the log-likelihood %s differs from that without failures, %s, by %.2g relative",
                    finished.result().logLikelihood(), finished.logLikelihoodWithoutFailures(),
                    finished.relativeDifference()));
            case RunOutcome.PatternsLost lost -> Optional.of(String.format(Locale.ROOT,
                    "data loss in iteration %d: %s holders of %d of %d patterns have failed (PEs %s): patterns %s",
                    lost.iteration(), request.settings().redundancy().fatalHolders(), lost.lostPatterns().blockCount(),
                    request.analysis().blockCount(), listed(lost.failedRanks()), listed(lost.lostPatterns())));
            case RunOutcome.Ended ended -> Optional.of(ended.reason());
        };
    }

    private static String header(PhyloRequest request) {
        Analysis analysis = request.analysis();
        String copies = analysis.repeat() == 1 ? "" : ", " + analysis.repeat() + " times over";
        String work = request.settings().mode() == Mode.EVALUATE
                ? "evaluate " + request.settings().iterations() + " times"
                : "optimize to convergence";
        return fact("alignment", String.format(Locale.ROOT, "%s: %d taxa, %d sites, %d patterns%s",
                request.alignmentSource(), analysis.patterns().taxonCount(), analysis.siteCount(),
                analysis.blockCount(), copies))
                + fact("model", request.model())
                + fact("run", String.format(Locale.ROOT, "%s on %d PEs (%s), each pattern %s", work,
                        request.plan().pes(),
                        request.plan().peKind(),
                        request.settings().redundancy().onHowManyPes()))
                + request.plan().files().map(files -> fact("files", files.toString())).orElse("");
    }

    private static String facts(PhyloRequest request, RunOutcome.Finished finished) {
        List<String> facts = new ArrayList<>();
        facts.add(fact("PEs left", finished.survivors() + " of " + request.plan().pes()));
        if (!finished.notReached().isEmpty()) {
            facts.add(fact("did not happen", finished.notReached() + " (ended after iteration "
                    + finished.iterations() + ")"));
        }
        facts.add(fact("memory per PE", String.format(Locale.ROOT,
                "at most %d bytes in the store, %d bytes of patterns to work on", finished.storeBytes(),
                finished.patternBytes())));
        if (request.settings().mode() == Mode.OPTIMIZE) {
            facts.add(fact("iterations", finished.iterations() + (finished.converged() ? "" : ", not converged")));
            finished.result().alpha().ifPresent(
                    alpha -> facts.add(fact("alpha", String.format(Locale.ROOT, "%.4f", alpha))));
        }
        facts.add(fact("log-likelihood", String.format(Locale.ROOT, "%.6f", finished.result().logLikelihood())));
        facts.add(fact("without failures", String.format(Locale.ROOT, "%.6f, difference %.1e relative: %s",
                finished.logLikelihoodWithoutFailures(), finished.relativeDifference(),
                finished.agrees() ? "the same to the last bit" : "NOT THE SAME")));
        return String.join("", facts);
    }
}
