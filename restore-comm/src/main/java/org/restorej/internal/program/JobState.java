package org.restorej.internal.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tells the launcher of a job why a loop has ended, in one line of the file that the environment variable
 * {@value #VARIABLE} names: a word and the number of the iteration. From that a launcher knows whether to start the job
 * again at once. Local.
 */
public final class JobState {
    /** Names the file. On several nodes it is on a file system that all share. */
    public static final String VARIABLE = "RESTOREJ_JOB_STATE";

    /** Why. */
    public enum End {
        /** Blocks are lost, and a checkpoint in files has them: to be started again at once. Exit code 75. */
        LOST,
        /** The time is over, or somebody has asked for the end: to be started again later. Exit code 75. */
        STOPPED,
        /** The application has thrown an exception in this iteration: to be started again unless it is the same one. */
        EXCEPTION
    }

    /** The how manieth start again this is; absent or 0 in the first start. */
    private static final String RESTART_VARIABLE = "RESTOREJ_RESTART_COUNT";

    private JobState() {}

    /** Whether the launcher of this job has started it again. */
    public static boolean isRestart() {
        String number = System.getenv(RESTART_VARIABLE);
        return number != null && !number.isEmpty() && !number.equals("0");
    }

    /** Tells it, such as {@code "lost 120"}; an earlier line is replaced. Nothing where no launcher asks. */
    public static void write(End end, long iteration) {
        // What a rank starts has the variable, but not the rank's job.
        write(LaunchedRank.isThisProcess() ? System.getenv(VARIABLE) : null, end, iteration);
    }

    static void write(@Nullable String file, End end, long iteration) {
        if (file == null || file.isEmpty()) {
            return;
        }
        try {
            Files.writeString(Path.of(file), end.name().toLowerCase(Locale.ROOT) + " " + iteration + "\n");
        } catch (IOException | RuntimeException unwritten) {
            System.getLogger(JobState.class.getName()).log(System.Logger.Level.WARNING,
                    "the launcher isn't told why the job ends: {0}", unwritten.toString());
        }
    }
}
