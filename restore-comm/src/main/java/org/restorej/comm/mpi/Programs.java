package org.restorej.comm.mpi;

import org.restorej.comm.Program;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.internal.mpi.Launcher;

/**
 * Starts programs wherever they are:
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
     * Runs a program on the ranks of an MPI job when a launcher has started this process, as {@link Mpi#run} does;
     * and on threads otherwise, also in a process that a rank has started, as {@link LocalCluster#restarting} does. In
     * both it is restarted by the survivors when a failure escapes from it, so what it has done until then may be done
     * twice. Called once: a process enters MPI but once. A program that is to be continued by the next job ends this JVM with the exit code
     * {@link Mpi#EXIT_CODE_CONTINUED}, also on threads.
     *
     * @param args arguments of the program, for MPI
     * @param threads number of PEs where there is no launcher, 1 to 4096
     * @param program given all PEs
     * @throws Mpi.UnavailableException when a launcher has started several processes, but without
     *         MPI, as srun may
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
