package org.restorej.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.restorej.bench.mpi.BackgroundLife;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.FileScheme;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.RankMain;
import org.restorej.bench.mpi.RecoveryLife;
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

    private static final int LATE_MILLIS = 100;
    private static final int NODES = 2;
    /** A turn takes about a second. */
    private static final int TURNS_IN_BACKGROUND = 15;

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
     * @param settings of its ranks
     * @return files with results, one for each run
     * @throws BenchmarkFailedException when it fails, having said why
     */
    List<Path> run(MpiJob job, Path folder, int number, RankSettings settings) throws IOException {
        Path files = Files.createTempDirectory(filesIn, "restorej-bench.");
        List<Path> results = new ArrayList<>();
        for (int run = 0; run < job.runs().size(); run++) {
            results.add(folder.resolve("mpi-" + number + "-" + run + ".json"));
        }
        try {
            await(job.pes(), command(job, settings, files, results));
        } finally {
            deleteAll(files);
        }
        return results;
    }

    /**
     * Runs a job that lives as an application's does, and waits for its end.
     *
     * @param rankSettings of its ranks
     * @param result file for what it has measured
     * @throws BenchmarkFailedException when it fails, having said why
     */
    void live(LifeSettings settings, int pes, JvmSetting setting, RankSettings rankSettings, Path result)
            throws IOException {
        List<String> command = command(pes, setting, rankSettings);
        command.addAll(List.of("--cp", classPath, JobLife.class.getName(), result.toString(),
                Long.toString(settings.bytes()), Integer.toString(settings.turns()), setting.text()));
        await(pes, command);
    }

    /** Runs a job that measures its first recovery, and waits for its end; otherwise as {@link #live}. */
    void liveWithRecovery(LifeSettings settings, int pes, JvmSetting setting, RankSettings rankSettings, Path result)
            throws IOException {
        List<String> command = command(pes, setting, rankSettings);
        command.addAll(List.of("--cp", classPath, RecoveryLife.class.getName(), result.toString(),
                Long.toString(settings.bytes()), setting.text()));
        await(pes, command);
    }

    /**
     * Runs a job that measures what an application notices of a submit in the background when its last rank comes late,
     * and waits for its end; otherwise as {@link #live}.
     */
    void liveInBackground(LifeSettings settings, int pes, JvmSetting setting, RankSettings rankSettings, Path result)
            throws IOException {
        List<String> command = command(pes, setting, rankSettings);
        command.addAll(inBackground(settings, setting, LATE_MILLIS, result));
        await(pes, command);
    }

    /** As {@link #liveInBackground}, of ranks in time on two nodes of {@code bin/nodes}, connected by 1 Gbit/s. */
    void liveBetweenNodes(LifeSettings settings, Path result) throws IOException {
        List<String> nodes = List.of(script("nodes").toString(), "--name", "bench");
        List<String> run = new ArrayList<>(nodes);
        run.addAll(List.of("run", "--per-node", "1"));
        run.addAll(inBackground(settings, JvmSetting.DEFAULT, 0, result));
        try {
            await(NODES, concat(nodes, "up", "--nodes", Integer.toString(NODES), "--mbit", "1000"));
            await(NODES, run);
        } finally {
            await(NODES, concat(nodes, "down"));
        }
    }

    /** Why there can be no nodes; an empty text when there can. */
    String missingNodes() {
        return ProcessAnswer.of(List.of(script("nodes").toString(), "check"), Map.of()).trouble().orElse("");
    }

    private static List<String> concat(List<String> command, String... further) {
        return Stream.concat(command.stream(), Stream.of(further)).toList();
    }

    private List<String> inBackground(LifeSettings settings, JvmSetting setting, int lateMillis, Path result) {
        return List.of("--cp", classPath, BackgroundLife.class.getName(), result.toString(),
                Long.toString(settings.bytes()), Integer.toString(Math.min(settings.turns(), TURNS_IN_BACKGROUND)),
                setting.text(), Integer.toString(lateMillis));
    }

    /**
     * Runs a job that protects files, and waits for its end; otherwise as {@link #live}.
     *
     * @param scheme how
     */
    void liveWithFiles(LifeSettings settings, int pes, FileScheme scheme, JvmSetting setting, RankSettings rankSettings,
            Path result)
            throws IOException {
        Path files = Files.createTempDirectory(filesIn, "restorej-bench.");
        try {
            List<String> command = command(pes, setting, rankSettings);
            command.addAll(List.of("--vm", "-D" + RankMain.DIRECTORY_PROPERTY + "=" + files, "--cp", classPath,
                    FileLife.class.getName(), result.toString(), Long.toString(settings.fileBytes()), scheme.name(),
                    setting.text()));
            await(pes, command);
        } finally {
            deleteAll(files);
        }
    }

    /**
     * Runs a job that lives as {@link #live}'s does, with C++ ReStore, and waits for its end.
     *
     * @param program made of {@code cpp_restore.cpp}
     * @param times file for what it has measured
     */
    void liveInCpp(LifeSettings settings, int pes, Path program, Path times) throws IOException {
        List<String> command = command(pes);
        command.addAll(List.of("--program", program.toString(), times.toString(), Long.toString(settings.bytes()),
                Integer.toString(settings.turns()), Integer.toString(pes)));
        await(pes, command);
    }

    /**
     * Runs a job that lives as {@link #liveWithFiles}'s does, with redset, and waits for its end.
     *
     * @param program made of {@code redset_life.c}
     * @param times file for what it has measured
     */
    void liveWithRedset(LifeSettings settings, int pes, FileScheme scheme, Path program, Path times)
            throws IOException {
        Path files = Files.createTempDirectory(filesIn, "restorej-bench.");
        try {
            List<String> command = command(pes);
            command.addAll(List.of("--program", program.toString(), times.toString(), files.toString(),
                    Long.toString(settings.fileBytes()), Integer.toString(FileLife.TURNS)));
            command.addAll(scheme.redsetArguments());
            await(pes, command);
        } finally {
            deleteAll(files);
        }
    }

    private List<String> command(int pes, JvmSetting setting, RankSettings rankSettings) {
        List<String> command = command(pes);
        command.addAll(rankSettings.options());
        setting.vmOptions().forEach(option -> command.addAll(List.of("--vm", option)));
        return command;
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

    private List<String> command(MpiJob job, RankSettings settings, Path files, List<Path> results) {
        List<String> command = command(job.pes());
        command.addAll(settings.options());
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

    /** Deletes a directory and all that is in it. */
    static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
