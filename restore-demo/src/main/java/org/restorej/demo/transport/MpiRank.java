package org.restorej.demo.transport;

import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.run.PeTask;

/** Runs this process's part of a demo, as a rank that an MPI launcher has started. */
public final class MpiRank {
    /** What the thrown exception means for the exit code, too. */
    private static final int WRONG_USE = 2;

    private MpiRank() {}

    /**
     * Does this PE's part and leaves MPI. Called by all ranks. After the failure of a process it doesn't return, but
     * ends the JVM with the same exit code.
     *
     * @param pes how many ranks there must be
     * @param choice how MPI is called, and whether it must survive that processes are killed
     * @param task makes this PE's task
     * @param report tells the result, on the lowest rank alive, and returns the exit code
     * @param exitCode what a result means for the exit code on the others
     * @param atFailure on a PE that was made to fail by simulation, ends what it shows
     * @return the exit code
     * @throws InvalidInputException on rank 0, when there are more or fewer, or failures can't be survived
     */
    public static <R> int run(int pes, MpiChoice choice, Function<Communicator, PeTask<R>> task,
            ToIntFunction<R> report, ToIntFunction<R> exitCode, Runnable atFailure) {
        if (choice.calls() == MpiCalls.BINDINGS) {
            System.setProperty(Mpi.TRANSPORT_PROPERTY, choice.calls().toString());
        }
        Communicator world = Mpi.world(new String[0]);
        try {
            check(world, pes, choice.mustSurvive());
        } catch (InvalidInputException wrong) {
            boolean first = world.rank() == 0;
            Mpi.finish(world, WRONG_USE);
            if (first) {
                throw wrong;
            }
            return WRONG_USE;
        }
        PeTask<R> mine = task.apply(world);
        int code = 0;
        try {
            R result = mine.run();
            code = exitCode.applyAsInt(result);
            if (mine.communicator().rank() == 0) {
                code = report.applyAsInt(result);
            }
        } catch (SimulatedFailureError failed) {
            atFailure.run();
            // Its process only waits for the others; they decide on the exit code.
        }
        Mpi.finish(mine.communicator(), code);
        return code;
    }

    private static void check(Communicator world, int pes, boolean mustSurvive) {
        if (world.size() != pes) {
            throw new InvalidInputException(
                    "--pes must be the number of ranks that mpirun has started, " + world.size() + ": --pes=" + pes);
        }
        if (mustSurvive && !world.survivesFailures()) {
            throw new InvalidInputException("--kill needs an MPI that survives failures of processes, and this is "
                    + Mpi.description() + "; --restarts starts the job again, --fail simulates failures");
        }
    }
}
