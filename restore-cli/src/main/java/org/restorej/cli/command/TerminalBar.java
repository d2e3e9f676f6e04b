package org.restorej.cli.command;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;

/** A progress bar of a command on standard error. Thread-safe. */
public final class TerminalBar implements AutoCloseable {
    /** Length of a bar whose end is unknown. */
    public static final int INDEFINITE = 0;

    /** One less than 80 columns, so that the terminal doesn't wrap. */
    private static final int LINE_WIDTH = 79;
    private static final int BAR_WIDTH = 30;
    private static final long UPDATE_INTERVAL_NANOS = 100_000_000;

    private final String task;
    private final long length;
    private long done;
    private String message = "";
    private long shownNanos;

    /**
     * Creates a bar without showing it.
     *
     * @param task name of the task
     * @param length number of steps, or {@link #INDEFINITE}
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

    /** Sets the number of finished steps, and shows it unless the bar was updated within the last 100 ms. */
    public synchronized void stepTo(long steps) {
        done = steps;
        long now = System.nanoTime();
        if (now - shownNanos >= UPDATE_INTERVAL_NANOS) {
            shownNanos = now;
            System.err.print("\r" + line(done, message));
            System.err.flush();
        }
    }

    /** Sets the number of finished steps, and a text after the bar. */
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

    /** Padded to full width, so that it overwrites any earlier text. */
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
