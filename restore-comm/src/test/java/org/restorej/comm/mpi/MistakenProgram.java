package org.restorej.comm.mpi;

import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.internal.mpi.Ancestors;
import org.restorej.internal.mpi.ForeignLibraries;
import org.restorej.internal.mpi.ForeignUlfm;
import org.restorej.internal.mpi.MpiLibrary;

/** Programs with a mistake, which the first argument names. */
public final class MistakenProgram {
    private MistakenProgram() {}

    /** What is wrong. */
    enum Mistake {
        /** Every rank throws the same. */
        ALL_THROW,
        /** Rank 1 passes a wrong argument to a collective call, in which the others wait for it. */
        LONE_ARGUMENT,
        /** The same, of a rank 1 whose launcher has been stopped. */
        STUCK_LAUNCHER,
        /** Rank 0 lets nobody fail, and the others rank 0: both sets have the sum 0. */
        DIFFERENT_FAILURES,
        /** Rank 1 fails before it has called {@code MPI_Init}, in which the others wait. */
        FAILURE_IN_INIT,
        /** MPI is initialised for several threads at once, and asked for a communicator then. */
        THREADS
    }

    /** Runs. */
    public static void main(String[] args) throws Exception {
        switch (Mistake.valueOf(args[0])) {
            case ALL_THROW -> Mpi.run(args, world -> {
                world.barrier();
                throw new IllegalStateException("a mistake of all");
            });
            case LONE_ARGUMENT -> broadcast(Mpi.world(args));
            case STUCK_LAUNCHER -> {
                Communicator world = Mpi.world(args);
                if (world.rank() == 1) {
                    long launcher = Ancestors.untilLauncher().getLast().pid();
                    new ProcessBuilder("kill", "-STOP", Long.toString(launcher)).inheritIO().start().waitFor();
                }
                broadcast(world);
            }
            case DIFFERENT_FAILURES -> {
                Communicator world = Mpi.world(args);
                FailureSimulation.of(world).fail(world.rank() == 0 ? new int[0] : new int[]{0});
                world.shrink();
                Mpi.finish(world);
            }
            case FAILURE_IN_INIT -> {
                if (MpiRank.rank() == 1) {
                    ForeignUlfm.killThisProcess();
                }
                Programs.run(args, 1, world -> System.out.println("came out"));
            }
            case THREADS -> initialiseForThreads(args);
        }
    }

    private static void broadcast(Communicator world) {
        try {
            world.broadcast(world.rank() == 1 ? "no array" : new int[1], 0);
            world.barrier();
        } catch (RuntimeException unheard) {
            System.out.println("goes on");
        }
        Mpi.finish(world);
    }

    private static void initialiseForThreads(String[] args) throws Exception {
        MpiLibrary library = ForeignLibraries.load();
        System.out.println("granted: " + library.initialize(args, MpiLibrary.THREAD_MULTIPLE));
        try {
            System.out.println(EmbeddedMpi.onHandle(library.world().handle()).description());
        } catch (Mpi.UnavailableException refused) {
            System.out.println("refused: " + refused.getMessage());
        }
        library.end();
    }
}
