package org.restorej.demo.plan;

import java.util.function.IntConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.restorej.demo.command.ProgressDisplay;

/** Shows on standard error how many trials are done: a bar on a terminal, nothing elsewhere. */
sealed interface TrialProgress extends IntConsumer, AutoCloseable {
    /** What suits where standard error goes. */
    static TrialProgress of(int trials) {
        return ProgressDisplay.isTerminal() ? new Bar(trials) : new Silent();
    }

    @Override
    void close();

    /** A bar that draws itself from a thread of its own. */
    final class Bar implements TrialProgress {
        private static final int WIDTH = 100;
        private static final int UPDATE_INTERVAL_MILLIS = 100;

        private final ProgressBar bar;

        Bar(int trials) {
            bar = new ProgressBarBuilder().setTaskName("trials").setInitialMax(trials)
                    .setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(UPDATE_INTERVAL_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH)).build();
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
