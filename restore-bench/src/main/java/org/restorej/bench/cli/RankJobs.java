package org.restorej.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.bench.c.CompiledNbx;
import org.restorej.bench.c.ScratchFolder;
import org.restorej.bench.mpi.RankMain;
import org.restorej.cli.command.JobProcess;
import org.restorej.cli.command.ProcessAnswer;

/**
 * Starts ranks by the script {@code bin/mpirun-java}. They write to this process's standard error.
 *
 * @param root the project's folder, which has the script
 * @param classPath of the ranks
 * @param filesIn where a directory for the files of benchmarks is made, which must be seen by all ranks
 * @param oneRankPerCore whether ranks are bound to cores of their own; otherwise there may be more ranks than cores
 * @param warmUpMillis how long an operation is warmed up at most
 */
record RankJobs(Path root, String classPath, Path filesIn, boolean oneRankPerCore, int warmUpMillis) {
    /** Why no ranks can be started; an empty text when they can. */
    String missing() {
        Path script = script("bootstrap");
        if (!Files.isExecutable(script) || !Files.isExecutable(script("mpirun-java"))) {
            return "there are no scripts to start MPI with in " + root.resolve("bin");
        }
        return ProcessAnswer.of(List.of(script.toString(), "--check"), Map.of()).trouble().orElse("");
    }

    private Path script(String name) {
        return root.resolve("bin").resolve(name);
    }

    /**
     * Runs a job and waits for its end.
     *
     * @param folder where its results go
     * @param number tells it from others
     * @return files with results, one for each run
     * @throws BenchmarkFailedException when it fails, having said why
     */
    List<Path> run(MpiJob job, Path folder, int number) throws IOException {
        List<Path> results = new ArrayList<>();
        for (int run = 0; run < job.runs().size(); run++) {
            results.add(folder.resolve("mpi-" + number + "-" + run + ".json"));
        }
        try (ScratchFolder files = ScratchFolder.in(filesIn)) {
            await(job.pes(), command(job, files.path(), results));
        }
        return results;
    }

    /**
     * Runs a job that lives as an application's does, and waits for its end.
     *
     * @param nbx the sparse all-to-all in C, where it could be compiled
     * @param life its main class
     * @param arguments of that
     * @throws BenchmarkFailedException when it fails, having said why
     */
    void live(int pes, JvmSetting setting, Optional<Path> nbx, Class<?> life, Object... arguments)
            throws IOException {
        try (ScratchFolder files = ScratchFolder.in(filesIn)) {
            List<String> command = command(pes);
            nbx.ifPresent(library -> command.addAll(List.of("--vm", "-D" + CompiledNbx.PROPERTY + "=" + library)));
            setting.vmOptions().forEach(option -> command.addAll(List.of("--vm", option)));
            command.addAll(List.of("--vm", "-D" + RankMain.DIRECTORY_PROPERTY + "=" + files.path()));
            command.addAll(main(life, arguments));
            await(pes, command);
        }
    }

    /** The same of a program that isn't Java. */
    void live(int pes, Path program, Object... arguments) throws IOException {
        List<String> command = command(pes);
        command.addAll(List.of("--program", program.toString()));
        command.addAll(words(arguments));
        await(pes, command);
    }

    private List<String> main(Class<?> life, Object... arguments) {
        return concat(List.of("--cp", classPath, life.getName()), words(arguments));
    }

    private static List<String> words(Object... arguments) {
        return Stream.of(arguments).map(Object::toString).toList();
    }

    private static List<String> concat(List<String> command, List<String> further) {
        return Stream.concat(command.stream(), further.stream()).toList();
    }

    private static void await(int pes, List<String> command) throws IOException {
        // Standard output is for our results.
        int exitCode = JobProcess.exitCode(
                new ProcessBuilder(command).inheritIO().redirectOutput(ProcessBuilder.Redirect.DISCARD));
        if (exitCode != 0) {
            throw new BenchmarkFailedException(
                    "the benchmarks on " + pes + " ranks have failed: mpirun ended with exit code " + exitCode);
        }
    }

    /** The beginning of all commands. */
    private List<String> command(int pes) {
        List<String> command = new ArrayList<>(List.of(script("mpirun-java").toString()));
        if (oneRankPerCore) {
            command.add("--one-rank-per-core");
        }
        command.addAll(List.of("-n", Integer.toString(pes)));
        return command;
    }

    private List<String> command(MpiJob job, Path files, List<Path> results) {
        List<String> command = command(job.pes());
        command.addAll(List.of("--vm", "-D" + RankMain.DIRECTORY_PROPERTY + "=" + files, "--vm",
                "-D" + RankMain.WARM_UP_PROPERTY + "=" + warmUpMillis, "--cp", classPath, RankMain.class.getName()));
        for (int run = 0; run < job.runs().size(); run++) {
            if (run > 0) {
                command.add(RankMain.NEXT);
            }
            command.addAll(job.runs().get(run).arguments(results.get(run).toString()));
        }
        return command;
    }
}
