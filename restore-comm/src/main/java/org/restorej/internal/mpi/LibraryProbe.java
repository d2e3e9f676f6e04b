package org.restorej.internal.mpi;

import java.nio.file.Path;
import java.util.List;

/**
 * The main class of a process that reports which MPI library a rank would use. A separate process, because it loads
 * that library; doesn't initialize MPI.
 *
 * <p>
 * Prints lines of the form key=value: {@code file}, {@code family}, {@code version} and {@code reason}; or
 * {@code error}.
 */
public final class LibraryProbe {
    private LibraryProbe() {}

    /**
     * Runs the probe.
     *
     * @param args name of a {@link Launcher}, and its program, such as {@code /usr/bin/mpirun}
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
