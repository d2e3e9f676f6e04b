package org.restorej.comm.mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

/** Enters MPI, and says which library that was. */
public final class NativeStartProgram {
    private NativeStartProgram() {}

    /**
     * Runs.
     *
     * @param args a library that the program loads before, if any
     */
    public static void main(String[] args) throws IOException {
        if (args.length > 0) {
            SymbolLookup.libraryLookup(args[0], Arena.global());
        }
        Communicator world = Mpi.world(args);
        long[] sum = {world.rank()};
        world.allReduce(sum, Reduction.SUM);
        // One write, which the launcher doesn't mix with others.
        System.out.println("rank " + world.rank() + " of " + world.size() + ", sum " + sum[0] + ", " + Mpi.description()
                + ", loaded " + loaded());
        Mpi.finish(world);
    }

    private static List<String> loaded() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.matches(".*/lib(mpi|mpich)\\.so.*"))
                    .map(line -> line.substring(line.indexOf('/'))).distinct().toList();
        }
    }
}
