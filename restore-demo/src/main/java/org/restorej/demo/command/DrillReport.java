package org.restorej.demo.command;

import static org.restorej.demo.command.TextParts.fact;
import static org.restorej.demo.command.TextParts.listed;
import static org.restorej.demo.command.TextParts.millis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.restorej.cli.command.JsonText;
import org.restorej.demo.run.DrillOutcome;
import org.restorej.demo.run.RecoverySummary;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Reports how a drill ended, for people or for programs.
 *
 * @param plan where it ran
 * @param input a line on what was computed
 * @param putInput puts the same into the object for programs
 * @param result lines on the result
 * @param putResult puts the result into the object for programs
 * @param <R> the result
 */
public record DrillReport<R>(RunPlan plan, String input, Consumer<ObjectNode> putInput,
        Function<R, String> result, BiConsumer<ObjectNode, R> putResult) {
    /** Writes the result to the command's output, and what went wrong to its errors. */
    public void write(DrillOutcome<R> outcome, CommandSpec spec) {
        PrintWriter output = spec.commandLine().getOut();
        output.print(plan.output() == OutputFormat.JSON ? json(outcome) : text(outcome));
        output.flush();
        PrintWriter errors = spec.commandLine().getErr();
        String failure = failure(outcome);
        if (!failure.isEmpty()) {
            errors.println("restore: " + failure);
        }
        errors.flush();
    }

    private String failure(DrillOutcome<?> outcome) {
        return switch (outcome) {
            case DrillOutcome.Finished<?> finished when finished.agrees() -> "";
            case DrillOutcome.Finished<?> finished -> "the result differs from that without failures: "
                    + finished.result() + " instead of " + finished.reference();
            case DrillOutcome.BlocksLost<?> lost -> String.format(Locale.ROOT,
                    "data loss in iteration %d: %s holders of %d blocks have failed (PEs %s): blocks %s",
                    lost.iteration(), plan.redundancy().fatalHolders(), lost.lostBlocks().blockCount(),
                    listed(lost.failedRanks()),
                    listed(lost.lostBlocks()));
        };
    }

    private String text(DrillOutcome<R> outcome) {
        StringBuilder text = new StringBuilder(fact("input", input));
        text.append(fact("run", String.format(Locale.ROOT, "on %d PEs (%s), each block %s", plan.pes(),
                plan.peKind(), plan.redundancy().onHowManyPes()))).append(System.lineSeparator());
        text.append(TextParts.recoveryTable(outcome.recoveries()));
        text.append(fact("PEs left", outcome.survivors() + " of " + plan.pes()));
        text.append(switch (outcome) {
            case DrillOutcome.Finished<R> finished -> result.apply(finished.result()) + comparison(finished);
            case DrillOutcome.BlocksLost<R> lost -> fact("lost blocks", listed(lost.lostBlocks()));
        });
        return text.toString();
    }

    private static String comparison(DrillOutcome.Finished<?> finished) {
        DrillOutcome.Times times = finished.times();
        return fact("time", millis(times.plainNanos()) + " without the store and failures, "
                + millis(times.iterationNanos()) + " with both, of which " + millis(recoveryNanos(finished))
                + " recovering, and " + millis(times.submitNanos()) + " building the store and submitting")
                + fact("overhead", String.format(Locale.ROOT, "%.1f %%", 100 * times.overhead()))
                + fact("without failures", finished.agrees() ? "the same to the last bit" : "NOT THE SAME");
    }

    private static long recoveryNanos(DrillOutcome<?> outcome) {
        return outcome.recoveries().stream().mapToLong(RecoverySummary::totalNanos).sum();
    }

    private String json(DrillOutcome<R> outcome) {
        ObjectNode root = JsonText.object();
        putInput.accept(root);
        JsonParts.putPlan(root, plan);
        JsonParts.putRecoveries(root, outcome.recoveries());
        root.put("pesLeft", outcome.survivors());
        switch (outcome) {
            case DrillOutcome.Finished<R> finished -> putFinished(root, finished);
            case DrillOutcome.BlocksLost<R> lost -> {
                root.put("outcome", "blocksLost");
                root.put("lostInIteration", lost.iteration());
                JsonParts.putRanks(root, lost.failedRanks());
                JsonParts.putRanges(root, "lostBlocks", lost.lostBlocks());
            }
        }
        root.put("exitCode", outcome.exitCode());
        return JsonText.of(root);
    }

    private void putFinished(ObjectNode root, DrillOutcome.Finished<R> finished) {
        root.put("outcome", finished.agrees() ? "finished" : "different");
        putResult.accept(root, finished.result());
        ObjectNode millis = root.putObject("millis");
        JsonParts.putMillis(millis, "withoutStoreAndFailures", finished.times().plainNanos());
        JsonParts.putMillis(millis, "submit", finished.times().submitNanos());
        JsonParts.putMillis(millis, "iterations", finished.times().iterationNanos());
        JsonParts.putMillis(millis, "recovery", recoveryNanos(finished));
        root.put("overhead", finished.times().overhead());
        root.put("agrees", finished.agrees());
    }
}
