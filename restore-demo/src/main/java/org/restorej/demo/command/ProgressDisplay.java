package org.restorej.demo.command;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.TerminalBar;
import org.restorej.demo.run.Progress;
import org.restorej.demo.run.RecoverySummary;

/**
 * Shows on standard error how a run goes: a bar on a terminal, lines elsewhere. All PEs of this JVM share it; one of
 * them uses it at a time, until it fails.
 */
public sealed interface ProgressDisplay extends Progress, AutoCloseable
        permits ProgressDisplay.Bar, ProgressDisplay.Lines {
    /** Says that output ends on a terminal although this process can't see it: for ranks under mpirun. */
    String TERMINAL_PROPERTY = "restorej.terminal";

    /**
     * What is shown.
     *
     * @param task a word for the bar
     * @param iterations how many, or how many at most
     * @param openEnd whether it may end before
     * @param valueFormat of the value that comes with each iteration, as {@code "inertia %.3f"}
     */
    record Shown(String task, int iterations, boolean openEnd, String valueFormat) {
        /** What the value is. */
        String valueName() {
            return valueFormat.substring(0, valueFormat.indexOf('%')).strip();
        }

        String text(double value) {
            return String.format(Locale.ROOT, valueFormat, value);
        }
    }

    /** What suits where standard error goes. */
    static ProgressDisplay onStandardError(Shown shown, PrintWriter errors) {
        boolean terminal = Boolean.getBoolean(TERMINAL_PROPERTY) || TerminalBar.isTerminal();
        return terminal ? new Bar(shown) : new Lines(shown, errors);
    }

    /** Ends the display. May be called again. */
    @Override
    void close();

    private static String text(RecoverySummary recovery) {
        String failed = recovery.failedRanks().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return String.format(Locale.ROOT, "PE %s failed: the %d left have recovered in %.1f ms", failed,
                recovery.survivors(), recovery.totalNanos() / 1e6);
    }

    /** A bar, which begins to show with the first iteration. */
    final class Bar implements ProgressDisplay {
        private final Shown shown;
        private @Nullable TerminalBar bar;

        Bar(Shown shown) {
            this.shown = shown;
        }

        @Override
        public synchronized void iterationDone(int iteration, double value) {
            if (bar == null) {
                bar = new TerminalBar(shown.task(), shown.openEnd() ? TerminalBar.INDEFINITE : shown.iterations());
            }
            bar.stepTo(iteration, shown.text(value));
        }

        @Override
        public synchronized void recovered(RecoverySummary recovery) {
            TerminalBar.printAbove(text(recovery));
        }

        @Override
        public synchronized void close() {
            if (bar != null) {
                bar.close();
                bar = null;
            }
        }
    }

    /** A line for each failure, and for some ten iterations. */
    final class Lines implements ProgressDisplay {
        private static final int MAX_LINES = 10;

        private final Shown shown;
        private final PrintWriter errors;

        Lines(Shown shown, PrintWriter errors) {
            this.shown = shown;
            this.errors = errors;
        }

        @Override
        public synchronized void iterationDone(int iteration, double value) {
            int all = shown.iterations();
            long tenths = (long) iteration * MAX_LINES / all;
            if (shown.openEnd() || tenths > (iteration - 1L) * MAX_LINES / all) {
                errors.println("iteration " + iteration + (shown.openEnd() ? "" : " of " + all) + ": "
                        + shown.text(value));
                errors.flush();
            }
        }

        @Override
        public synchronized void recovered(RecoverySummary recovery) {
            errors.println(text(recovery));
            errors.flush();
        }

        @Override
        public void close() {}
    }
}
