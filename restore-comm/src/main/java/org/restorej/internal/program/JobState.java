package org.restorej.internal.program;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the launcher of a job why a loop has ended: a line with a word and the iteration number, in the file that
 * the environment variable {@value #VARIABLE} names. The launcher uses it to decide whether to restart the job at once.
 * A second file has numbers that a start of the job records for later ones. Local.
 */
public final class JobState {
    /** Names the file. For jobs on several nodes it is on a shared file system. */
    public static final String VARIABLE = "RESTOREJ_JOB_STATE";

    /** The reason of the end. */
    public enum End {
        /** Blocks are lost, and a checkpoint in files has them: restart at once. Exit code 75. */
        LOST,
        /** The time is over, or a user has requested the end: restart later. Exit code 75. */
        STOPPED,
        /** The application has thrown in this iteration: restart, unless it is the same iteration again. */
        EXCEPTION
    }

    /** Number of restarts of the job; absent or 0 in the first start. */
    private static final String RESTART_VARIABLE = "RESTOREJ_RESTART_COUNT";

    /** Suffix of the name of the file with recorded numbers. */
    private static final String NOTES = ".notes";

    private JobState() {}

    /** Whether the launcher has restarted this job. */
    public static boolean isRestart() {
        String number = System.getenv(RESTART_VARIABLE);
        return number != null && !number.isEmpty() && !number.equals("0");
    }

    /** The file; null in a process that a rank has started, which inherits the variable but is no rank. */
    private static @Nullable String file() {
        return LaunchedRank.isThisProcess() ? System.getenv(VARIABLE) : null;
    }

    /**
     * Writes the state, such as {@code "lost 120"}, and replaces an earlier line. Does nothing if no launcher has
     * asked.
     */
    public static void write(End end, long iteration) {
        write(file(), end, iteration);
    }

    static void write(@Nullable String file, End end, long iteration) {
        if (file == null || file.isEmpty()) {
            return;
        }
        try {
            Files.writeString(Path.of(file), end.name().toLowerCase(Locale.ROOT) + " " + iteration + "\n");
        } catch (IOException | RuntimeException unwritten) {
            System.getLogger(JobState.class.getName()).log(System.Logger.Level.WARNING,
                    "the launcher isn''t told why the job ends: {0}", unwritten.toString());
        }
    }

    /** Removes the state, because the job continues. Called by one rank. */
    public static void clear() {
        String file = file();
        if (file != null && !file.isEmpty()) {
            try {
                Files.deleteIfExists(Path.of(file));
            } catch (IOException | RuntimeException kept) {
                System.getLogger(JobState.class.getName()).log(System.Logger.Level.WARNING,
                        "the launcher is told what has not ended the job: {0}", kept.toString());
            }
        }
    }

    /** Records a number for later starts of this job, and replaces an earlier one. Called by one rank. */
    public static void note(String key, long number) {
        note(file(), key, number);
    }

    static void note(@Nullable String file, String key, long number) {
        if (file == null || file.isEmpty()) {
            return;
        }
        Properties notes = notes(file);
        notes.setProperty(key, Long.toString(number));
        try {
            Path whole = Path.of(file + NOTES);
            Path half = Path.of(file + NOTES + ".new");
            try (Writer writer = Files.newBufferedWriter(half)) {
                notes.store(writer, null);
            }
            Files.move(half, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException unwritten) {
            System.getLogger(JobState.class.getName()).log(System.Logger.Level.WARNING,
                    "a later start of the job isn''t told of \"{0}\": {1}", key, unwritten.toString());
        }
    }

    /** The number that a start of this job has recorded last; empty if there is none, or no launcher keeps numbers. */
    public static OptionalLong noted(String key) {
        return noted(file(), key);
    }

    static OptionalLong noted(@Nullable String file, String key) {
        String number = file == null || file.isEmpty() ? null : notes(file).getProperty(key);
        return number == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number));
    }

    private static Properties notes(String file) {
        Properties notes = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file + NOTES))) {
            notes.load(reader);
        } catch (IOException | RuntimeException none) {
            notes.clear();
        }
        return notes;
    }
}
