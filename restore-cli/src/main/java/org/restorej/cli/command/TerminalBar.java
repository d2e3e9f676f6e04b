package org.restorej.cli.command;

import java.io.Console;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Bars on standard error that show how far a command has come. */
public final class TerminalBar {
    /** Characters of a bar's line. */
    public static final int WIDTH = 100;
    /** As length: the end isn't known. */
    public static final int INDEFINITE = -1;

    private TerminalBar() {}

    /** Whether standard input and output are a terminal, as far as this process can see. */
    public static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    /**
     * Shows a bar, which a thread of its own draws until it is closed.
     *
     * @param task a word for it
     * @param length how many steps there are, or {@link #INDEFINITE}
     * @param updateIntervalMillis time between two drawings
     */
    public static ProgressBar start(String task, int length, int updateIntervalMillis) {
        return new ProgressBarBuilder().setTaskName(task).setInitialMax(length).setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(updateIntervalMillis)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH)).build();
    }
}
