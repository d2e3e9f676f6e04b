package org.restorej.comm;

import org.restorej.comm.testing.ContractProgram;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.restorej.comm.mpi.OpenMpi;
import org.restorej.comm.testing.mpi.MpiRank;

/**
 * What every rank runs to prove the contract on MPI: either all programs without failures that its size allows, one
 * after the other, or one program with failures. Reports the outcome of each.
 */
public final class ContractRank {
    /** Argument for all programs of {@link CommunicatorContractPrograms}. */
    static final String ALL_WITHOUT_FAILURES = "--all-without-failures";

    /** What a rank reports when a program has not thrown. */
    static final String KEPT = "kept";

    private ContractRank() {}

    /**
     * Runs programs.
     *
     * @param args {@link #ALL_WITHOUT_FAILURES} or the name of one of {@link FailureContractPrograms}
     */
    public static void main(String[] args) throws IOException {
        Communicator world = OpenMpi.world(args);
        if (args[0].equals(ALL_WITHOUT_FAILURES)) {
            for (ContractProgram program : CommunicatorContractPrograms.ALL) {
                if (program.minimumSize() <= world.size()) {
                    prove(program, world);
                }
            }
        } else {
            prove(FailureContractPrograms.named(args[0]), world);
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
