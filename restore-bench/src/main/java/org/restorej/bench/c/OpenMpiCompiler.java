package org.restorej.bench.c;

import java.io.IOException;
import java.util.List;

/** Finds the compiler of Open MPI: the command's name may be that of another MPI's. */
final class OpenMpiCompiler {
    private OpenMpiCompiler() {}

    /**
     * The first that is there and Open MPI's.
     *
     * @throws IOException when none is; the message names them all
     */
    static String among(List<String> compilers) throws IOException {
        for (String compiler : compilers) {
            if (isOpenMpis(compiler)) {
                return compiler;
            }
        }
        throw new IOException("no compiler of Open MPI found: looked for " + String.join(", ", compilers));
    }

    private static boolean isOpenMpis(String compiler) {
        try {
            return CompiledC.output(List.of(compiler, "--showme:version")).contains("Open MPI");
        } catch (IOException absentOrAnotherMpis) {
            return false;
        }
    }
}
