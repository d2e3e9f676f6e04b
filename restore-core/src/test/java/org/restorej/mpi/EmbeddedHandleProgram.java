package org.restorej.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.mpi.EmbeddedMpi;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;

/** A program that calls MPI by foreign functions of its own, initialises and ends it; rank 0 fails by simulation. */
public final class EmbeddedHandleProgram {
    private static final int MPICH_WORLD = 0x44000000;

    private final SymbolLookup mpi = SymbolLookup.libraryLookup(Path.of(System.getenv("RESTOREJ_MPI_LIBRARY")),
            Arena.global());
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);

    /** Runs. */
    public static void main(String[] args) throws Throwable {
        new EmbeddedHandleProgram().run();
    }

    private void run() throws Throwable {
        call("MPI_Init", 0, 0);
        long world = mpi.find("ompi_mpi_comm_world").map(MemorySegment::address).orElse((long) MPICH_WORLD);
        EmbeddedMpi embedded = EmbeddedMpi.onHandle(world);
        Communicator latest = embedded.communicator();
        try {
            FailureSimulation.of(latest).fail(0);
            latest = survivors(latest);
            long mine = EmbeddedMpi.handle(latest);
            call("MPI_Comm_size", mine, result.address());
            System.out.println("survivors " + result.get(ValueLayout.JAVA_INT, 0));
        } catch (SimulatedFailureError failed) {
            System.out.println("failed");
        }
        boolean whole = embedded.end(latest);
        if (latest.rank() == 1 && embedded.end(latest) != whole) {
            throw new AssertionError("the end is the same when one process asks again");
        }
        call("MPI_Finalize", 0, 0);
        System.out.println("finalised " + whole);
    }

    private static Communicator survivors(Communicator communicator) {
        try {
            communicator.allReduce(new long[1], Reduction.SUM);
            throw new AssertionError("somebody has failed");
        } catch (ProcessFailedException failure) {
            communicator.revoke();
            return communicator.shrink();
        }
    }

    private void call(String function, long first, long second) throws Throwable {
        int code = (int) Linker.nativeLinker().downcallHandle(mpi.findOrThrow(function),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG))
                .invokeExact(first, second);
        if (code != 0) {
            throw new IllegalStateException(function + " returned " + code);
        }
    }
}
