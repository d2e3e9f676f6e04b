package org.restorej.cli.command;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;

/** A line on standard error that shows how far a command has come. Thread-safe. */
public final class TerminalBar implements AutoCloseable {
    /** As length: the end isn't known. */
    public static final int INDEFINITE = 0;

    /** A terminal of the usual 80 columns goes to no new line by itself. */
    private static final int LINE_WIDTH = 79;
    private static final int BAR_WIDTH = 30;
    private static final long UPDATE_INTERVAL_NANOS = 100_000_000;

    private final String task;
    private final long length;
    private long done;
    private String message = "";
    private long shownNanos;

    /**
     * Shows nothing yet.
     *
     * @param task a word for it
     * @param length how many steps there are, or {@link #INDEFINITE}
     */
    public TerminalBar(String task, long length) {
        this.task = task;
        this.length = length;
        shownNanos = System.nanoTime() - UPDATE_INTERVAL_NANOS;
    }

    /** Whether standard input and output are a terminal, as far as this process can see. */
    public static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    /** Says how many steps are done; shows it, unless another was shown just before. */
    public synchronized void stepTo(long steps) {
        done = steps;
        long now = System.nanoTime();
        if (now - shownNanos >= UPDATE_INTERVAL_NANOS) {
            shownNanos = now;
            System.err.print("\r" + line(done, message));
            System.err.flush();
        }
    }

    /** The same, with words behind it. */
    public synchronized void stepTo(long steps, String words) {
        message = words;
        stepTo(steps);
    }

    /** Writes a line of its own above the bar. */
    public static void printAbove(String words) {
        System.err.println("\r" + words + " ".repeat(Math.max(0, LINE_WIDTH - words.length())));
    }

    String line(long steps, String words) {
        if (length == INDEFINITE) {
            return padded(task + " " + steps + " " + words);
        }
        int filled = (int) (BAR_WIDTH * steps / length);
        return padded(String.format(Locale.ROOT, "%s %3d%% [%s%s] %d/%d %s", task, 100 * steps / length,
                "=".repeat(filled), " ".repeat(BAR_WIDTH - filled), steps, length, words));
    }

    /** As long as every other, so that nothing is left of them. */
    private static String padded(String words) {
        return words.length() > LINE_WIDTH
                ? words.substring(0, LINE_WIDTH)
                : words + " ".repeat(LINE_WIDTH - words.length());
    }

    /** Shows the last state, and ends the line. */
    @Override
    public synchronized void close() {
        System.err.println("\r" + line(done, message));
    }
}
