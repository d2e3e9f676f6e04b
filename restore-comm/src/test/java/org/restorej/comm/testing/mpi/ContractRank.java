package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.mpi.FreshWorld;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/**
 * What every rank runs to prove suites on MPI: all programs of some suites that the size allows, one after the other,
 * or one program. Reports the outcomes.
 */
public final class ContractRank {
    /** Before the class of a suite whose programs leave everybody alive: all of them are run. */
    static final String ALIVE = "--alive";

    /** Before the class of a suite in whose programs PEs die, where that is simulated: all of them are run. */
    static final String FAILURES = "--failures";

    /** Before the class of a suite and the name of one of its programs: only this is run. */
    static final String ONE = "--one";

    /** What a rank reports when a program has not thrown. */
    static final String KEPT = "kept";

    /** What a rank reports that has failed in a program, where that is simulated. */
    static final String FAILED = "failed";

    /** Under this name rank 0 reports which MPI it is. */
    static final String LIBRARY = "library";

    private ContractRank() {}

    /**
     * Runs programs.
     *
     * @param args {@link #ONE}, a suite and a program; or any number of suites, each after {@link #ALIVE} or
     *        {@link #FAILURES}
     */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        Communicator world = Mpi.world(args);
        if (world.rank() == 0) {
            MpiRank.report(LIBRARY, Mpi.description());
        }
        if (args[0].equals(ONE)) {
            ContractSuite suite = suite(args[1]);
            try {
                prove(suite, suite.named(args[2]), world);
            } catch (SimulatedFailureError failure) {
                reportFailure(suite, suite.named(args[2]), world, failure);
            }
        } else {
            for (int i = 0; i < args.length; i += 2) {
                proveAll(suite(args[i + 1]), args[i].equals(FAILURES), world);
            }
        }
        Mpi.finish(world);
    }

    private static ContractSuite suite(String className) throws ReflectiveOperationException {
        return Class.forName(className).asSubclass(ContractSuite.class).getDeclaredConstructor().newInstance();
    }

    private static void proveAll(ContractSuite suite, boolean failures, Communicator world) throws IOException {
        for (ContractProgram program : suite.programs()) {
            if (!program.fits(world.size(), world.survivesFailures())) {
                continue;
            }
            if (failures) {
                proveInAWorldOfItsOwn(suite, program, world);
            } else {
                prove(suite, program, world);
            }
        }
    }

    private static void proveInAWorldOfItsOwn(ContractSuite suite, ContractProgram program, Communicator world)
            throws IOException {
        FreshWorld fresh = FreshWorld.of(world);
        try {
            prove(suite, program, fresh.communicator());
        } catch (SimulatedFailureError failure) {
            reportFailure(suite, program, world, failure);
        }
        fresh.awaitEnd();
    }

    private static void prove(ContractSuite suite, ContractProgram program, Communicator world) throws IOException {
        int rank = MpiRank.rank();
        try {
            long start = System.nanoTime();
            program.runIsolated(world);
            System.out.println(program.name() + ": " + (System.nanoTime() - start) / 1_000_000 + " ms");
        } catch (RuntimeException | AssertionError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            MpiRank.report(reportName(suite, program, rank), trace.toString());
            // The others may wait for this rank for ever.
            Runtime.getRuntime().halt(1);
        }
        MpiRank.report(reportName(suite, program, rank), KEPT);
    }

    private static void reportFailure(ContractSuite suite, ContractProgram program, Communicator world,
            SimulatedFailureError failure) throws IOException {
        System.out.println(program.name() + ": " + failure.getMessage());
        MpiRank.report(reportName(suite, program, world.rank()), FAILED);
    }

    static String reportName(ContractSuite suite, ContractProgram program, int rank) {
        return suite.getClass().getSimpleName() + "-" + program.name() + "-" + rank;
    }
}
