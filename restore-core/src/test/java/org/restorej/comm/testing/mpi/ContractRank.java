package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.restorej.comm.Communicator;
import org.restorej.comm.SimulatedDeathError;
import org.restorej.comm.mpi.OpenMpi;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What every rank runs to prove a suite on MPI: all its programs that the size allows, or one. Reports the outcomes. */
public final class ContractRank {
    /** Argument for all programs of a suite, one after the other. */
    static final String ALL = "--all";

    /** System property: the thread level that the ranks ask MPI for. */
    static final String THREAD_LEVEL = "restorej.test.thread.level";

    /** What a rank reports when a program has not thrown. */
    static final String KEPT = "kept";

    private ContractRank() {}

    /**
     * Runs programs.
     *
     * @param args class of the suite; {@link #ALL} or the name of one of its programs
     */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        Communicator world = OpenMpi.world(args, OpenMpi.ThreadLevel
                .valueOf(System.getProperty(THREAD_LEVEL, OpenMpi.ThreadLevel.SERIALIZED.name())));
        ContractSuite suite = Class.forName(args[0]).asSubclass(ContractSuite.class).getDeclaredConstructor()
                .newInstance();
        try {
            if (args[1].equals(ALL)) {
                for (ContractProgram program : suite.programs()) {
                    if (program.minimumSize() <= world.size()) {
                        prove(program, world);
                    }
                }
            } else {
                prove(suite.named(args[1]), world);
            }
        } catch (SimulatedDeathError death) {
            System.out.println(death.getMessage());
        }
        OpenMpi.finish(world);
    }

    private static void prove(ContractProgram program, Communicator world) throws IOException {
        try {
            long start = System.nanoTime();
            program.runIsolated(world);
            System.out.println(program.name() + ": " + (System.nanoTime() - start) / 1_000_000 + " ms");
        } catch (RuntimeException | AssertionError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            MpiRank.report(reportName(program.name(), world.rank()), trace.toString());
            // The others may wait for this rank for ever.
            Runtime.getRuntime().halt(1);
        }
        MpiRank.report(reportName(program.name(), world.rank()), KEPT);
    }

    static String reportName(String programName, int rank) {
        return programName + "-" + rank;
    }
}
