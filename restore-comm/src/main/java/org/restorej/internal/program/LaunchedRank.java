package org.restorej.internal.program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bin/lib/rank} tells the process of a rank, and it alone: processes that the rank starts inherit the
 * environment variable {@value #VARIABLE}, so it counts only with the process id that it names.
 */
public final class LaunchedRank {
    /** {@code FOLDER/rank.PID}. */
    public static final String VARIABLE = "RESTOREJ_RANK";

    private LaunchedRank() {}

    /** The process id in a value of the variable; 0 if there is none. */
    public static long processId(@Nullable String told) {
        String digits = told == null ? "" : told.substring(told.lastIndexOf('.') + 1);
        return digits.matches("[1-9][0-9]{0,17}") ? Long.parseLong(digits) : 0;
    }

    /** Whether this process was told that it is a rank. */
    public static boolean isThisProcess() {
        return processId(System.getenv(VARIABLE)) == ProcessHandle.current().pid();
    }

    /** The file in which this rank notes how far it has come; none but on the node of {@code bin/mpirun-java}. */
    public static Optional<Path> notes() {
        return isThisProcess()
                ? Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of).filter(Files::exists)
                : Optional.empty();
    }
}
