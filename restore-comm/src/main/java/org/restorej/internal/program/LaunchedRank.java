package org.restorej.internal.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The exchange between a rank's process and the scripts that have started it. {@code bin/lib/rank} sets the environment
 * variable {@value #VARIABLE}. Processes that the rank starts inherit it, so it counts only in the process whose id it
 * contains. The rank reports its progress to {@code bin/mpirun-java} by a line for each state, in the file that the
 * variable names, if it runs on the launcher's node.
 */
public final class LaunchedRank {
    /** {@code FOLDER/rank.PID}. */
    public static final String VARIABLE = "RESTOREJ_RANK";

    /** State: about to call {@code MPI_Init}, which returns when all ranks have called it. */
    public static final String INITIALIZING = "initializing";

    /** State: {@code MPI_Init} has returned. */
    public static final String INITIALIZED = "initialized";

    /** State: has left MPI regularly. */
    public static final String ENDED = "ended";

    private LaunchedRank() {}

    /** The process id in a value of the variable; 0 if there is none. */
    public static long processId(@Nullable String told) {
        String digits = told == null ? "" : told.substring(told.lastIndexOf('.') + 1);
        return digits.matches("[1-9][0-9]{0,17}") ? Long.parseLong(digits) : 0;
    }

    /** Whether this process is the one that was started as a rank. */
    public static boolean isThisProcess() {
        return processId(System.getenv(VARIABLE)) == ProcessHandle.current().pid();
    }

    private static Optional<Path> notes() {
        return isThisProcess()
                ? Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of).filter(Files::exists)
                : Optional.empty();
    }

    /** Reports a state. Never creates the file. */
    public static void note(String state) {
        notes().ifPresent(notes -> {
            try {
                Files.writeString(notes, state + "\n", StandardOpenOption.APPEND);
            } catch (IOException e) {
                System.getLogger("org.restorej").log(System.Logger.Level.WARNING,
                        "bin/mpirun-java can't be told that this rank is " + state, e);
            }
        });
    }

    /**
     * Whether no other rank of this node has thrown the same; true where no launcher has a folder for the ranks.
     *
     * @param trace stack trace and message
     */
    public static boolean isFirstToThrow(String trace) {
        String name = "thrown." + UUID.nameUUIDFromBytes(trace.getBytes(StandardCharsets.UTF_8));
        try {
            Optional<Path> notes = notes();
            if (notes.isPresent()) {
                Files.createFile(notes.get().resolveSibling(name));
            }
            return true;
        } catch (FileAlreadyExistsException told) {
            return false;
        } catch (IOException removed) {
            return true;
        }
    }

    /**
     * Reports that this rank is about to abort the job. The launcher then ends an {@code mpirun} that hangs, as was
     * seen with Open MPI 4.1.4.
     */
    public static void noteAborted() {
        notes().ifPresent(notes -> {
            try {
                Files.createFile(notes.resolveSibling("aborted"));
            } catch (IOException told) {
                // Another rank has created it, or the launcher has removed the folder.
            }
        });
    }
}
