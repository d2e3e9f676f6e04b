package org.restorej.mpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.mpi.EmbeddedMpi;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;

/**
 * A program of MPI that initialises and ends it, and of whose second half of the ranks each keeps a number in a store:
 * one of them fails, and the others sum all numbers by an MPI call.
 */
public final class EmbeddedProgram {
    private EmbeddedProgram() {}

    /** Runs. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        Intracomm all = MPI.COMM_WORLD;
        int rank = all.getRank();
        int[] sum = {rank};
        all.allReduce(sum, 1, MPI.INT, MPI.SUM);
        System.out.println("before " + sum[0]);
        int color = rank * 2 / all.getSize();
        Intracomm half = all.split(color, rank);
        boolean whole = true;
        if (color == 1) {
            whole = protectedHalf(half);
        } else {
            int[] count = {1};
            half.allReduce(count, 1, MPI.INT, MPI.SUM);
            System.out.println("others " + count[0]);
        }
        if (args.length > 0 && args[0].equals("kills")) {
            // MPI_Finalize would wait for the failed one.
            System.out.println("ended " + whole);
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
        half.free();
        MPI.Finalize();
        System.out.println("finalised " + whole);
    }

    private static boolean protectedHalf(Intracomm half) throws MPIException {
        EmbeddedMpi embedded = EmbeddedMpi.on(half);
        System.out.println(embedded.description());
        Communicator latest = embedded.communicator();
        try (ReStore store = ReStore.builder(latest).blocks(latest.size()).blockSizeBytes(Long.BYTES).replication(2)
                .build()) {
            store.submit(BlockRange.of(latest.rank(), 1), MemorySegment.ofArray(new long[]{100 + latest.rank()}));
            ((FailureSimulation) latest).fail(0);
            latest = survivors(latest, store);
            long[] numbers = new long[store.failedRanks().size() + latest.size()];
            store.pull(BlockRanges.of(0, numbers.length), MemorySegment.ofArray(numbers));
            Intracomm mine = EmbeddedMpi.intracomm(latest);
            long[] count = {1};
            mine.allReduce(count, 1, MPI.LONG, MPI.SUM);
            System.out.println("survivors " + count[0] + " of " + Arrays.toString(numbers) + " with ranks "
                    + List.of(mine.getRank(), mine.getSize()));
            mine.free();
        } catch (SimulatedFailureError failed) {
            System.out.println("failed");
        }
        return embedded.end(latest);
    }

    private static Communicator survivors(Communicator communicator, ReStore store) {
        try {
            communicator.allReduce(new long[1], Reduction.SUM);
            throw new AssertionError("somebody has failed");
        } catch (ProcessFailedException | CommunicatorRevokedException failure) {
            communicator.revoke();
            Communicator survivors = communicator.shrink();
            store.recover(survivors);
            return survivors;
        }
    }
}
