package org.restorej.comm.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.restorej.internal.program.LaunchedRank;

/**
 * Tells {@code bin/mpirun-java} how far this rank has come: by a line for each state in a file that the launcher has
 * made for this process, where it runs on this node.
 */
final class RankNotes {
    /** Is about to call {@code MPI_Init}, which returns when all ranks have called it. */
    static final String INITIALIZING = "initializing";

    /** Has come out of {@code MPI_Init}. */
    static final String INITIALIZED = "initialized";

    /** Has left MPI in order. */
    static final String ENDED = "ended";

    private RankNotes() {}

    /**
     * Tells that this rank is about to abort the job: the launcher ends an {@code mpirun} that hangs then, as that of
     * Open MPI 4.1.4 was seen to do.
     */
    static void writeAborted() {
        LaunchedRank.notes().ifPresent(notes -> {
            try {
                Files.createFile(notes.resolveSibling("aborted"));
            } catch (IOException told) {
                // Another rank has, or the launcher has removed the folder.
            }
        });
    }

    /** Never creates the file. */
    static void write(String state) {
        Optional<Path> notes = LaunchedRank.notes();
        if (notes.isEmpty()) {
            return;
        }
        try {
            Files.writeString(notes.get(), state + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            System.getLogger("org.restorej").log(System.Logger.Level.WARNING,
                    "bin/mpirun-java can't be told that this rank is " + state, e);
        }
    }
}
