package org.restorej.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
 */
record RankJobs(Path root, String classPath, Path filesIn, boolean oneRankPerCore) {
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
     * Runs benchmarks one after another in one job, and waits for its end.
     *
     * @param folder where its results go
     * @return files with results, one for each run
     * @throws BenchmarkFailedException when it fails, having said why
     */
    List<Path> run(int pes, List<JmhRun> runs, Path folder) throws IOException {
        List<Path> results = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        for (JmhRun run : runs) {
            Path result = folder.resolve("ranks-" + pes + "-" + results.size() + ".json");
            if (!results.isEmpty()) {
                arguments.add(RankMain.NEXT);
            }
            arguments.addAll(run.arguments(result.toString()));
            results.add(result);
        }
        live(pes, List.of(), RankMain.class, arguments.toArray());
        return results;
    }

    /**
     * Runs a job in Java, and waits for its end.
     *
     * @param options of {@code bin/mpirun-java}
     * @param main its main class
     * @param arguments of that
     * @throws BenchmarkFailedException when it fails, having said why
     */
    void live(int pes, List<String> options, Class<?> main, Object... arguments) throws IOException {
        try (ScratchFolder files = ScratchFolder.in(filesIn)) {
            List<String> command = new ArrayList<>(options);
            command.addAll(List.of("--vm", "-D" + RankMain.DIRECTORY_PROPERTY + "=" + files.path(), "--cp", classPath,
                    main.getName()));
            await(pes, command, arguments);
        }
    }

    /** The same of a program that isn't Java. */
    void live(int pes, Path program, Object... arguments) throws IOException {
        await(pes, List.of("--program", program.toString()), arguments);
    }

    private void await(int pes, List<String> program, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(script("mpirun-java").toString()));
        if (oneRankPerCore) {
            command.add("--one-rank-per-core");
        }
        command.addAll(List.of("-n", Integer.toString(pes)));
        command.addAll(program);
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        // Standard output is for our results.
        int exitCode = JobProcess.exitCode(
                new ProcessBuilder(command).inheritIO().redirectOutput(ProcessBuilder.Redirect.DISCARD));
        if (exitCode != 0) {
            throw new BenchmarkFailedException(
                    "the benchmarks on " + pes + " ranks have failed: mpirun ended with exit code " + exitCode);
        }
    }
}
