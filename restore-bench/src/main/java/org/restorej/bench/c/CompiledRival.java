package org.restorej.bench.c;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.cli.command.JobProcess;

/**
 * Programs that live the life of a job with another library, made of code in the jar and of that library's headers,
 * which the user has. They need a compiler of the Open MPI that ranks run under.
 */
public enum CompiledRival {
    /**
     * The C++ library ReStore, from a folder of headers, compiled as its authors compile their benchmarks, with random
     * ids of permutation ranges. XXH_INLINE_ALL: the hash function that ReStore uses comes from its header, so no
     * library of it is needed. SIMULATE_FAILURES: its headers want this where MPI has no ULFM.
     */
    CPP_RESTORE("C++ ReStore", "cpp_restore.cpp", "restore/core.hpp", List.of("mpicxx.openmpi", "mpicxx"),
            List.of("-std=c++17", "-O3", "-DNDEBUG", "-DID_RANDOMIZATION", "-DXXH_INLINE_ALL", "-DSIMULATE_FAILURES",
                    "-w"),
            List.of(""), List.of(), List.of("-pthread")),
    /** LLNL's redset, from the folder that it was installed in. */
    REDSET("redset", "redset_life.c", "include/redset.h", List.of("mpicc.openmpi", "mpicc"), List.of("-O2"),
            List.of("include"), List.of("lib", "lib64"), List.of("-lredset", "-lkvtree", "-lrankstr", "-lz"));

    private static final int MAX_LINES = 5;

    private final String text;
    private final String source;
    private final String header;
    @SuppressWarnings("ImmutableEnumChecker") // Unmodifiable lists, these and the next.
    private final List<String> compilers;
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> options;
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> headerFolders;
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> libraryFolders;
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> libraries;

    CompiledRival(String text, String source, String header, List<String> compilers, List<String> options,
            List<String> headerFolders, List<String> libraryFolders, List<String> libraries) {
        this.text = text;
        this.source = source;
        this.header = header;
        this.compilers = compilers;
        this.options = options;
        this.headerFolders = headerFolders;
        this.libraryFolders = libraryFolders;
        this.libraries = libraries;
    }

    /** What it is called; the method of its measurements. */
    public String text() {
        return text;
    }

    /** A header that the user's folder must have. */
    public String header() {
        return header;
    }

    /**
     * Compiles it. Further folders of headers are those of the environment variable CPATH, which the compiler reads.
     *
     * @param installed has {@link #header}
     * @param folder where source and program go
     * @return the program
     * @throws IOException when there is no compiler, or it fails; the message has its first errors
     */
    public Path compile(Path installed, Path folder) throws IOException {
        return compile(compilers, installed, folder);
    }

    Path compile(List<String> candidates, Path installed, Path folder) throws IOException {
        String compiler = openMpiCompiler(candidates);
        Path program = folder.resolve(source.substring(0, source.indexOf('.')));
        // In English, so that errors are found in what it prints.
        List<String> command = new ArrayList<>(
                List.of("env", "LC_ALL=C", compiler, "-fdiagnostics-color=never"));
        command.addAll(options);
        headerFolders.forEach(each -> command.add("-I" + installed.resolve(each)));
        command.addAll(List.of(copied(folder).toString(), "-o", program.toString()));
        libraryFolders.stream().map(installed::resolve)
                .flatMap(each -> Stream.of("-L" + each, "-Wl,-rpath," + each)).forEach(command::add);
        command.addAll(libraries);
        Ended ended = ended(command);
        if (ended.exitCode() != 0) {
            throw new IOException(compiler + " can't compile " + source + " with the headers in " + installed + ": "
                    + firstErrors(ended.output()));
        }
        return program;
    }

    /** The first compiler that is there and Open MPI's: the command's name may be that of another MPI's. */
    private static String openMpiCompiler(List<String> candidates) throws IOException {
        for (String candidate : candidates) {
            try {
                if (ended(List.of(candidate, "--showme:version")).output().contains("Open MPI")) {
                    return candidate;
                }
            } catch (IOException absent) {
                // The next one may be there.
            }
        }
        throw new IOException("no compiler of Open MPI found: looked for " + String.join(", ", candidates));
    }

    private Path copied(Path folder) throws IOException {
        Path copy = folder.resolve(source);
        try (InputStream resource = CompiledRival.class.getResourceAsStream("/" + source)) {
            if (resource == null) {
                throw new IOException(source + " is not in the jar");
            }
            Files.copy(resource, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }

    /** How a command ended, and what it printed. */
    private record Ended(int exitCode, String output) {}

    private static Ended ended(List<String> command) throws IOException {
        Path printed = Files.createTempFile("restorej-bench-", ".txt");
        try {
            int exitCode = JobProcess.exitCode(
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile()));
            return new Ended(exitCode, Files.readString(printed));
        } finally {
            Files.deleteIfExists(printed);
        }
    }

    /** The first lines that tell of errors, or just the first lines. */
    static String firstErrors(String output) {
        List<String> lines = output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        List<String> errors = lines.stream().filter(line -> line.contains("error:")).toList();
        return (errors.isEmpty() ? lines : errors).stream().limit(MAX_LINES).collect(Collectors.joining("; "));
    }
}
