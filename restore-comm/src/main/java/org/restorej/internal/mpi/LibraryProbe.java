package org.restorej.internal.mpi;

import java.nio.file.Path;
import java.util.List;

/**
 * The main class of a process that says which MPI library a rank would take: for reports on a machine. Loads that
 * library, and so is a process of its own; doesn't initialise MPI.
 *
 * <p>
 * Prints key=value lines: {@code file}, {@code family}, {@code version} and {@code reason}; or {@code error}.
 */
public final class LibraryProbe {
    private LibraryProbe() {}

    /**
     * Runs.
     *
     * @param args name of a {@link Launcher}, and its program, as {@code /usr/bin/mpirun}
     */
    public static void main(String[] args) {
        ProcessEnvironment.prepare();
        LibrarySearch search = new LibrarySearch(System.getenv(), Launcher.valueOf(args[0]), List.of(),
                List.of(Path.of(args[1])));
        try {
            ForeignLibraries.Loaded loaded = new ForeignLibraries(search).find();
            String version = loaded.library().version();
            System.out.println("file=" + loaded.file());
            System.out.println("family=" + MpiFamily.of(loaded.library().symbols(), version).description());
            System.out.println("version=" + version);
            System.out.println("reason=" + loaded.reason());
        } catch (MpiNotFoundException e) {
            System.out.println("error=" + e.getMessage());
        }
    }
}
