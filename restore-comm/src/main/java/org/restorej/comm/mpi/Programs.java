package org.restorej.comm.mpi;

import org.restorej.comm.Program;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.internal.mpi.Launcher;

/**
 * Starts a program on MPI or on threads:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Programs.run(args, 8, Mean::run);
 * }
 * }</pre>
 */
public final class Programs {
    private Programs() {}

    /**
     * Runs a program: on the ranks of an MPI job if a launcher has started this process, as {@link Mpi#run}; otherwise
     * on threads, as {@link LocalCluster#restarting}, also in a process that a rank has started. The survivors restart
     * it after a failure that it doesn't handle, so earlier work may be done twice. Called once in a process. A program
     * that is to be continued by the next job ends this JVM with the exit code {@link Mpi#EXIT_CODE_CONTINUED}, also on
     * threads.
     *
     * @param args arguments of the program, for MPI
     * @param threads number of PEs without a launcher, 1 to 4096
     * @param program gets all PEs
     * @throws Mpi.UnavailableException when a launcher has started several processes without MPI, as srun may
     * @throws PeFailedException on threads, when the program threw on one
     */
    public static void run(String[] args, int threads, Program program) {
        if (Launcher.ofProcess() != Launcher.NONE) {
            Mpi.run(args, program);
            return;
        }
        try {
            LocalCluster.run(threads, LocalCluster.restarting(world -> {
                program.run(world);
                return world.rank();
            }));
        } catch (PeFailedException failed) {
            if (failed.getCause() instanceof KnownToAll known && known.exitCode() == Mpi.EXIT_CODE_CONTINUED) {
                System.err.println("the program ends on all PEs: " + known);
                System.exit(Mpi.EXIT_CODE_CONTINUED);
            }
            throw failed;
        }
    }
}
