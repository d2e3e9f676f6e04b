package org.restorej.bench.c;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.restorej.cli.command.JobProcess;

/** Makes shared libraries and programs of C code that is in the jar, and starts the latter. */
public final class CompiledC {
    private CompiledC() {}

    /**
     * Compiles a library.
     *
     * @param compiler its command
     * @param source name of the code
     * @param folder where source and library go
     * @param options for the end of the command line
     * @return the library
     * @throws IOException when there is no compiler, or it fails; the message says what it said
     */
    public static Path of(String compiler, String source, Path folder, String... options) throws IOException {
        Path library = folder.resolve("lib" + source.replaceFirst("\\.c$", ".so"));
        List<String> command = new ArrayList<>(List.of(compiler, "-O2", "-shared", "-fPIC",
                copied(source, folder).toString(), "-o", library.toString()));
        command.addAll(List.of(options));
        output(command);
        return library;
    }

    /**
     * Compiles a program for this machine's processor, as fast as the compiler can make it; otherwise as
     * {@link #of}.
     */
    public static Path program(String compiler, String source, Path folder, String... options) throws IOException {
        Path program = folder.resolve(source.replaceFirst("\\.c$", ""));
        List<String> command = new ArrayList<>(List.of(compiler, "-O3", "-march=native",
                copied(source, folder).toString(), "-o", program.toString()));
        command.addAll(List.of(options));
        output(command);
        return program;
    }

    /**
     * The first of some compilers that is there and Open MPI's: the command's name may be that of another MPI's.
     *
     * @throws IOException when none is; the message names them all
     */
    static String openMpiCompiler(List<String> compilers) throws IOException {
        for (String compiler : compilers) {
            try {
                if (output(List.of(compiler, "--showme:version")).contains("Open MPI")) {
                    return compiler;
                }
            } catch (IOException absentOrAnotherMpis) {
                // The next one may be.
            }
        }
        throw new IOException("no compiler of Open MPI found: looked for " + String.join(", ", compilers));
    }

    /**
     * Copies code that is in the jar to a folder.
     *
     * @throws IOException when it can't, or there is no such code
     */
    static Path copied(String source, Path folder) throws IOException {
        Path copy = folder.resolve(source);
        try (InputStream resource = CompiledC.class.getResourceAsStream("/" + source)) {
            if (resource == null) {
                throw new IOException(source + " is not in the jar");
            }
            Files.copy(resource, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }

    /**
     * What a command prints.
     *
     * @throws IOException when it can't be started, or fails; the message has the command and what it printed
     * @throws IllegalStateException when this thread is interrupted
     */
    public static String output(List<String> command) throws IOException {
        Ended ended = ended(command);
        if (ended.exitCode() != 0) {
            throw new IOException(String.join(" ", command) + ": " + ended.output().strip());
        }
        return ended.output();
    }

    /**
     * What a command prints on standard output; what it has to say besides is lost.
     *
     * @throws IOException when it can't be started, or fails
     */
    public static String standardOutput(List<String> command) throws IOException {
        Ended ended = ended(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
        if (ended.exitCode() != 0) {
            throw new IOException(String.join(" ", command) + ": exit code " + ended.exitCode());
        }
        return ended.output();
    }

    /** How a command ended, and what it printed. */
    record Ended(int exitCode, String output) {}

    /** Runs a command, which is told to stop when this process is, or the thread is interrupted. */
    static Ended ended(List<String> command) throws IOException {
        return ended(new ProcessBuilder(command).redirectErrorStream(true));
    }

    private static Ended ended(ProcessBuilder builder) throws IOException {
        Path printed = Files.createTempFile("restorej-bench-", ".txt");
        try {
            int exitCode = JobProcess.exitCode(builder.redirectOutput(printed.toFile()));
            return new Ended(exitCode, Files.readString(printed));
        } finally {
            Files.deleteIfExists(printed);
        }
    }
}
