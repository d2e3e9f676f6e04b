package org.restorej.demo.phylo;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.TerminalBar;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.phylo.run.RunSettings;
import org.restorej.demo.phylo.run.Progress;
import org.restorej.demo.phylo.run.RecoverySummary;

/**
 * Shows on standard error how a run goes: a bar on a terminal, elsewhere a line for each failure, and for some ten
 * iterations. All PEs of this JVM share it; one of them uses it at a time, until it fails.
 */
final class ProgressDisplay implements Progress, AutoCloseable {
    /** Says that output ends on a terminal although this process can't see it: for ranks under mpirun. */
    static final String TERMINAL_PROPERTY = "restorej.terminal";

    private static final int MAX_LINES = 10;

    private final RunSettings settings;
    private final PrintWriter errors;
    private final boolean isTerminal = Boolean.getBoolean(TERMINAL_PROPERTY) || TerminalBar.isTerminal();
    private @Nullable TerminalBar bar;

    /** Shows nothing before the first iteration. */
    ProgressDisplay(RunSettings settings, PrintWriter errors) {
        this.settings = settings;
        this.errors = errors;
    }

    /** Whether the run may end before all iterations are done. */
    private boolean hasOpenEnd() {
        return settings.mode() == Mode.OPTIMIZE;
    }

    @Override
    public synchronized void iterationDone(int iteration, double value) {
        String words = String.format(Locale.ROOT, "log-likelihood %.4f", value);
        int all = settings.iterations();
        if (isTerminal) {
            if (bar == null) {
                bar = new TerminalBar(settings.mode().toString(), hasOpenEnd() ? TerminalBar.INDEFINITE : all);
            }
            bar.stepTo(iteration, words);
        } else if (hasOpenEnd()) {
            print("iteration " + iteration + ": " + words);
        } else if ((long) iteration * MAX_LINES / all > (iteration - 1L) * MAX_LINES / all) {
            print("iteration " + iteration + " of " + all + ": " + words);
        }
    }

    @Override
    public synchronized void recovered(RecoverySummary recovery) {
        String failed = recovery.failedRanks().stream().map(String::valueOf).collect(Collectors.joining(", "));
        String words = String.format(Locale.ROOT, "PE %s failed: the %d left have recovered in %.1f ms", failed,
                recovery.survivors(), recovery.totalNanos() / 1e6);
        if (isTerminal) {
            TerminalBar.printAbove(words);
        } else {
            print(words);
        }
    }

    private void print(String line) {
        errors.println(line);
        errors.flush();
    }

    /** Ends the display. May be called again. */
    @Override
    public synchronized void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
