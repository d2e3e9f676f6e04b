package org.restorej.comm.mpi;

import org.restorej.comm.Communicator;
import org.restorej.comm.Program;

/**
 * The way into Open MPI by its Java bindings: what {@link Mpi} does by foreign functions, for programs that call
 * {@code mpi.*} themselves. The way out, and everything else, is {@link Mpi}'s.
 *
 * <p>
 * The bindings, {@code mpi.jar} and {@code libmpi_java}, must be there: {@code bin/mpirun-java} puts them where they
 * belong, and {@code bin/mpirun-java --print-environment} prints the environment variable for {@code mpirun}. Few Open
 * MPIs are built with them, and releases after 5.0 have none. Programs that initialise MPI themselves use
 * {@link EmbeddedMpi}.
 */
public final class OpenMpi {
    private OpenMpi() {}

    /** As {@link Mpi#world(String[])}. */
    public static Communicator world(String[] args) {
        return world(args, Mpi.ThreadLevel.SERIALIZED);
    }

    /** As {@link Mpi#world(String[], Mpi.ThreadLevel)}. */
    public static Communicator world(String[] args, Mpi.ThreadLevel threadLevel) {
        return Mpi.world(Transport.BINDINGS, args, threadLevel);
    }

    /** As {@link Mpi#run}. */
    public static void run(String[] args, Program program) {
        runForExitCode(args, communicator -> {
            program.run(communicator);
            return 0;
        });
    }

    /** As {@link Mpi#runForExitCode}. */
    public static void runForExitCode(String[] args, Mpi.ExitCodeProgram program) {
        Mpi.runForExitCode(Transport.BINDINGS, args, program);
    }
}
