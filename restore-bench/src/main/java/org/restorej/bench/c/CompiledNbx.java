package org.restorej.bench.c;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The sparse all-to-all in C as a shared library for ranks, or why there is none. It needs a compiler of the Open MPI
 * that ranks run under: another one would bring another libmpi into their processes.
 */
public final class CompiledNbx {
    /** The system property of ranks that names the library. */
    public static final String PROPERTY = "restorej.bench.nbx";

    private static final String SOURCE = "nbx.c";
    private static final List<String> COMPILERS = List.of("mpicc.openmpi", "mpicc");

    private CompiledNbx() {}

    /**
     * Compiles it.
     *
     * @param folder where source and library go
     * @throws IOException when there is no compiler, or it fails; the message says why
     */
    public static Path compile(Path folder) throws IOException {
        return compile(COMPILERS, folder);
    }

    /** The same, or nothing where it can't be compiled: then a list gets the reason. */
    public static Optional<Path> compileIfPossible(Path folder, List<String> leftOut) {
        try {
            return Optional.of(compile(folder));
        } catch (IOException missing) {
            leftOut.add("NBX in C: " + missing.getMessage());
            return Optional.empty();
        }
    }

    static Path compile(List<String> compilers, Path folder) throws IOException {
        return CompiledC.of(CompiledC.openMpiCompiler(compilers), SOURCE, folder);
    }
}
