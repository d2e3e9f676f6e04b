package org.restorej.bench.c;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A program that lives the life of a job with the C++ library ReStore, made of code in the jar and of the library's
 * headers, which the user has. Compiled as its authors compile their benchmarks, with random ids of permutation ranges.
 * It needs a compiler of the Open MPI that ranks run under.
 */
public final class CompiledCppRestore {
    /** The header that is included, from the folder of headers. */
    public static final String HEADER = "restore/core.hpp";

    private static final String SOURCE = "cpp_restore.cpp";
    private static final List<String> COMPILERS = List.of("mpicxx.openmpi", "mpicxx");
    /** XXH_INLINE_ALL: the hash function that ReStore uses comes from its header, so no library of it is needed. */
    private static final List<String> OPTIONS = List.of("-std=c++17", "-O3", "-DNDEBUG", "-DID_RANDOMIZATION",
            "-DXXH_INLINE_ALL", "-w", "-fdiagnostics-color=never");
    private static final int MOST_LINES = 5;

    private CompiledCppRestore() {}

    /**
     * Compiles it. Further folders of headers are those of the environment variable CPATH, which the compiler reads.
     *
     * @param headers has {@link #HEADER}
     * @param folder where source and program go
     * @return the program
     * @throws IOException when there is no compiler, or it fails; the message has its first errors
     */
    public static Path compile(Path headers, Path folder) throws IOException {
        return compile(COMPILERS, headers, folder);
    }

    static Path compile(List<String> compilers, Path headers, Path folder) throws IOException {
        String compiler = OpenMpiCompiler.among(compilers);
        Path source = CompiledC.copied(SOURCE, folder);
        Path program = folder.resolve("cpp_restore");
        // In English, so that errors are found in what it prints.
        List<String> command = new ArrayList<>(List.of("env", "LC_ALL=C", compiler));
        command.addAll(OPTIONS);
        command.addAll(List.of("-I" + headers, source.toString(), "-pthread", "-o", program.toString()));
        CompiledC.Ended ended = CompiledC.ended(command);
        if (ended.exitCode() != 0) {
            throw new IOException(compiler + " can't compile " + SOURCE + " with the headers in " + headers + ": "
                    + firstErrors(ended.output()));
        }
        return program;
    }

    /** The first lines that tell of errors, or just the first lines. */
    static String firstErrors(String output) {
        List<String> lines = output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        List<String> errors = lines.stream().filter(line -> line.contains("error:")).toList();
        return (errors.isEmpty() ? lines : errors).stream().limit(MOST_LINES).collect(Collectors.joining("; "));
    }
}
