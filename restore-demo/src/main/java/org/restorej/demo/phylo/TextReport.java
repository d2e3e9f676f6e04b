package org.restorej.demo.phylo;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.demo.phylo.run.Analysis;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.phylo.run.RunOutcome;
import org.restorej.demo.phylo.run.RecoverySummary;
import org.restorej.loop.Recovery.Phase;

/** The result of a run, for people: the recoveries as a table, and lines with a name and a value. */
final class TextReport {
    private static final double NANOS_PER_MILLI = 1e6;

    private TextReport() {}

    /** All of it, with a line end. */
    static String of(PhyloRequest request, RunOutcome outcome) {
        return header(request) + System.lineSeparator() + recoveryTable(outcome.recoveries()) + switch (outcome) {
            case RunOutcome.Finished finished -> facts(request, finished);
            case RunOutcome.PatternsLost lost -> fact("PEs left", lost.survivors() + " of " + request.plan().pes())
                    + fact("lost patterns", listed(lost.lostPatterns()));
            case RunOutcome.Ended _ -> "";
        };
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
                + fact("model", request.options().model)
                + fact("run", String.format(Locale.ROOT, "%s on %d PEs (%s), each pattern %s", work,
                        request.plan().pes(), request.plan().peKind(), request.plan().redundancy().onHowManyPes()))
                + request.plan().files().map(files -> fact("files", files.toString())).orElse("");
    }

    private static String facts(PhyloRequest request, RunOutcome.Finished finished) {
        StringBuilder facts = new StringBuilder();
        facts.append(fact("PEs left", finished.survivors() + " of " + request.plan().pes()));
        if (!finished.notReached().isEmpty()) {
            facts.append(fact("did not happen", finished.notReached() + " (ended after iteration "
                    + finished.iterations() + ")"));
        }
        facts.append(fact("memory per PE", String.format(Locale.ROOT,
                "at most %d bytes in the store, %d bytes of patterns to work on", finished.storeBytes(),
                finished.patternBytes())));
        if (request.settings().mode() == Mode.OPTIMIZE) {
            facts.append(fact("iterations", finished.iterations() + (finished.converged() ? "" : ", not converged")));
            finished.result().alpha().ifPresent(
                    alpha -> facts.append(fact("alpha", String.format(Locale.ROOT, "%.4f", alpha))));
        }
        facts.append(fact("log-likelihood", String.format(Locale.ROOT, "%.6f", finished.result().logLikelihood())));
        facts.append(fact("without failures", String.format(Locale.ROOT, "%.6f, difference %.1e relative: %s",
                finished.logLikelihoodWithoutFailures(), finished.relativeDifference(),
                finished.agrees() ? "the same to the last bit" : "NOT THE SAME")));
        return facts.toString();
    }

    private static String recoveryTable(List<RecoverySummary> recoveries) {
        if (recoveries.isEmpty()) {
            return "";
        }
        StringBuilder table = new StringBuilder();
        table.append(row("failure", "PEs", "blocks", "bytes", "", "", "", "", "", "", ""));
        table.append(row("PE @ iteration", "left", "pulled", "pulled", "detect", "shrink", "balance", "pull",
                "take over", "replicate", "total"));
        for (RecoverySummary recovery : recoveries) {
            Long detection = recovery.detectionNanos();
            table.append(row(listed(recovery.failedRanks()) + " @ " + recovery.iteration(), recovery.survivors(),
                    recovery.pulledBlocks(), recovery.pulledBytes(), detection == null ? "?" : millis(detection),
                    millis(recovery.nanos(Phase.SHRINK, Phase.RECOVER)), millis(recovery.nanos(Phase.BALANCE)),
                    millis(recovery.nanos(Phase.PULL)), millis(recovery.nanos(Phase.TAKE_OVER)),
                    millis(recovery.nanos(Phase.REPLENISH)), millis(recovery.totalNanos())));
        }
        table.append(String.format(Locale.ROOT,
                "each time is that of the PE that took longest, so that they may add up to more than the total%n"));
        return table + System.lineSeparator();
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-14s %5s %8s %10s %9s %9s %9s %9s %9s %9s %9s%n", cells)
                .replaceAll("[ ]+(?=\\R)", "");
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / NANOS_PER_MILLI);
    }

    private static String fact(String name, String value) {
        return String.format(Locale.ROOT, "%-18s %s%n", name, value);
    }

    private static String listed(List<Integer> ranks) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String listed(BlockRanges blocks) {
        return blocks.runs().stream().map(BlockRange::toString).collect(Collectors.joining(", "));
    }
}
