package org.restorej.cli.plan;

import java.util.function.IntConsumer;
import me.tongfei.progressbar.ProgressBar;
import org.restorej.cli.command.TerminalBar;

/** Shows on standard error how many trials are done: a bar on a terminal, nothing elsewhere. */
sealed interface TrialProgress extends IntConsumer, AutoCloseable {
    /** What suits where standard error goes. */
    static TrialProgress of(int trials) {
        return TerminalBar.isTerminal() ? new Bar(trials) : new Silent();
    }

    @Override
    void close();

    /** A bar that draws itself from a thread of its own. */
    final class Bar implements TrialProgress {
        private static final int UPDATE_INTERVAL_MILLIS = 100;

        private final ProgressBar bar;

        Bar(int trials) {
            bar = TerminalBar.start("trials", trials, UPDATE_INTERVAL_MILLIS);
        }

        @Override
        public void accept(int done) {
            bar.stepTo(done);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** For pipes and files. */
    final class Silent implements TrialProgress {
        @Override
        public void accept(int done) {}

        @Override
        public void close() {}
    }
}
