package org.restorej.demo.phylo;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.phylo.run.Progress;
import org.restorej.demo.phylo.run.RecoverySummary;

/**
 * Shows on standard error how a run goes: a bar on a terminal, lines elsewhere. All PEs of this JVM share it; one of
 * them uses it at a time, until it dies.
 */
sealed interface ProgressDisplay extends Progress, AutoCloseable permits ProgressDisplay.Bar, ProgressDisplay.Lines {
    /** Says that output ends on a terminal although this process can't see it: for ranks under mpirun. */
    String TERMINAL_PROPERTY = "restorej.terminal";

    /** Whether standard input and output are a terminal, as far as this process can see. */
    static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    /** What suits where standard error goes. */
    static ProgressDisplay onStandardError(PhyloRequest request, PrintWriter errors) {
        boolean terminal = Boolean.getBoolean(TERMINAL_PROPERTY) || isTerminal();
        return terminal ? new Bar(request) : new Lines(request, errors);
    }

    /** Ends the display. May be called again. */
    @Override
    void close();

    private static String text(RecoverySummary recovery) {
        return String.format(Locale.ROOT, "PEs %s died: the other %d recovered in %.1f ms", recovery.failedRanks(),
                recovery.survivors(), recovery.totalNanos() / 1e6);
    }

    /** A bar, which begins to show with the first iteration. */
    final class Bar implements ProgressDisplay {
        private static final int WIDTH = 100;
        private static final int UPDATE_INTERVAL_MILLIS = 50;
        /** Of the bar: its end isn't known. */
        private static final int INDEFINITE = -1;

        private final PhyloRequest request;
        private @Nullable ProgressBar bar;

        Bar(PhyloRequest request) {
            this.request = request;
        }

        @Override
        public synchronized void iterationDone(int iteration, double logLikelihood) {
            if (bar == null) {
                int length = request.settings().mode() == Mode.OPTIMIZE ? INDEFINITE : request.settings().iterations();
                bar = new ProgressBarBuilder().setTaskName(request.settings().mode().toString()).setInitialMax(length)
                        .setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(UPDATE_INTERVAL_MILLIS)
                        .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH)).build();
            }
            bar.stepTo(iteration);
            bar.setExtraMessage(String.format(Locale.ROOT, "%.4f", logLikelihood));
        }

        @Override
        public synchronized void recovered(RecoverySummary recovery) {
            // The bar writes over its own line only.
            System.err.println("\r" + text(recovery) + " ".repeat(WIDTH / 3));
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
        private static final int MOST_LINES = 10;

        private final PhyloRequest request;
        private final PrintWriter errors;

        Lines(PhyloRequest request, PrintWriter errors) {
            this.request = request;
            this.errors = errors;
        }

        @Override
        public synchronized void iterationDone(int iteration, double logLikelihood) {
            int all = request.settings().iterations();
            boolean optimizing = request.settings().mode() == Mode.OPTIMIZE;
            long tenths = (long) iteration * MOST_LINES / all;
            if (optimizing || tenths > (iteration - 1L) * MOST_LINES / all) {
                errors.println(String.format(Locale.ROOT, "iteration %d%s: log-likelihood %.4f", iteration,
                        optimizing ? "" : " of " + all, logLikelihood));
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
