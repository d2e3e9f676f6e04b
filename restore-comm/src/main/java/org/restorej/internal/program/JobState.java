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
 * Tells the launcher of a job why a loop has ended, in one line of the file that the environment variable
 * {@value #VARIABLE} names: a word and the number of the iteration. From that a launcher knows whether to start the job
 * again at once. Beside it are numbers that a start of the job notes for later ones. Local.
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

    /** What the name of the file with notes has more. */
    private static final String NOTES = ".notes";

    private JobState() {}

    /** Whether the launcher of this job has started it again. */
    public static boolean isRestart() {
        String number = System.getenv(RESTART_VARIABLE);
        return number != null && !number.isEmpty() && !number.equals("0");
    }

    /** Where the launcher looks; null in what a rank has started, which has the variable, but not the rank's job. */
    private static @Nullable String file() {
        return LaunchedRank.isThisProcess() ? System.getenv(VARIABLE) : null;
    }

    /** Tells it, such as {@code "lost 120"}; an earlier line is replaced. Nothing where no launcher asks. */
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

    /** Why the job was to end has been got over. By one rank. */
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

    /** Notes a number for later starts of this job, in place of an earlier one. By one rank. */
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

    /** The number that a start of this job has noted last; empty without one, and where no launcher keeps notes. */
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
