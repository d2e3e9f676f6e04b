package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.restorej.testing.ProjectFolder;

/**
 * A running MPI job: one main class on a number of ranks, started by {@code bin/mpirun-java}.
 *
 * <pre>{@code
 * MpiFlavour.ULFM.require();
 * try (MpiJob job = MpiJob.of(Program.class, 4).on(MpiFlavour.ULFM).arguments("--fast").start()) {
 *     job.awaitOutput(2, "working");
 *     job.kill(2);
 *     MpiResult result = job.await().requireSuccess();
 * }
 * }</pre>
 *
 * <p>
 * After its timeout the stacks of all ranks are printed and the job's processes, no others, are ended. Standard output
 * and error of each rank are kept, below {@code target/mpi-jobs}. For one thread.
 */
public final class MpiJob implements AutoCloseable {
    /** Beyond the job's own timeout: for the stacks of all ranks to be printed, and the processes to be ended. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private static final long POLL_MILLIS = 5;

    private final Process process;
    private final Class<?> mainClass;
    private final MpiFlavour flavour;
    private final Path folder;
    private final int ranks;
    private final Duration timeout;
    private final long startNanos = System.nanoTime();
    private final SortedSet<Integer> killedRanks = new TreeSet<>();

    private MpiJob(Process process, Class<?> mainClass, MpiFlavour flavour, Path folder, int ranks, Duration timeout) {
        this.process = process;
        this.mainClass = mainClass;
        this.flavour = flavour;
        this.folder = folder;
        this.ranks = ranks;
        this.timeout = timeout;
    }

    /** A job to be started: a main class on this many ranks. */
    public static Launch of(Class<?> mainClass, int ranks) {
        return new Launch(mainClass, ranks);
    }

    /** What to start and how. */
    public static final class Launch {
        private final Class<?> mainClass;
        private final int ranks;
        private final List<String> vmOptions = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private List<String> arguments = List.of();
        private MpiFlavour flavour = MpiFlavour.OPEN_MPI;
        private Duration timeout = Duration.ofMinutes(4);
        private Optional<Nodes> nodes = Optional.empty();
        private Optional<List<String>> allocation = Optional.empty();
        private int restarts;

        private Launch(Class<?> mainClass, int ranks) {
            this.mainClass = mainClass;
            this.ranks = ranks;
        }

        /** The MPI to run on; Open MPI of the machine by default. */
        public Launch on(MpiFlavour chosen) {
            flavour = chosen;
            return this;
        }

        /** The nodes to run on; otherwise the machine itself. */
        public Launch on(Nodes cluster) {
            nodes = Optional.of(cluster);
            return this;
        }

        /** Not at once, but by Slurm's {@code sbatch} with these options, on the nodes, which have Slurm. */
        public Launch submitted(String... options) {
            allocation = Optional.of(List.of(options));
            return this;
        }

        /** Arguments of the main class. */
        public Launch arguments(String... given) {
            arguments = List.of(given);
            return this;
        }

        /** An option of every rank's JVM. */
        public Launch vmOption(String option) {
            vmOptions.add(option);
            return this;
        }

        /** A variable in the environment of the job. */
        public Launch environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /**
         * After this time the job is ended and counts as failed; 4 minutes by default, many times what a busy machine
         * needs.
         */
        public Launch timeout(Duration limit) {
            timeout = limit;
            return this;
        }

        /** How often the job is started again when it fails. */
        public Launch restarts(int atMost) {
            restarts = atMost;
            return this;
        }

        /** Starts the job. */
        public MpiJob start() {
            try {
                Path folder = ProjectFiles.newJobFolder(mainClass.getSimpleName() + "-" + ranks + "-");
                ProcessBuilder builder = new ProcessBuilder(command(folder)).redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(folder).toFile()));
                builder.environment().putAll(environment);
                builder.environment().put("CLASSPATH", ProjectFiles.classPath());
                return new MpiJob(builder.start(), mainClass, flavour, folder, ranks, timeout);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Starts the job and waits for its end. */
        public MpiResult run() {
            try (MpiJob job = start()) {
                return job.await();
            }
        }

        private List<String> command(Path folder) throws IOException {
            List<String> command = new ArrayList<>();
            if (allocation.isPresent()) {
                command.addAll(BatchJob.command(nodes.orElseThrow(), allocation.get(), folder, log(folder), ranks));
                if (!flavour.isMpich()) {
                    // What these nodes call their network: Open MPI 6 doesn't find it by itself.
                    command.addAll(List.of("--interface", Nodes.INTERFACE));
                }
            } else {
                command.addAll(nodes.map(cluster -> cluster.jobCommand(ranks)).orElseGet(
                        () -> List.of(ProjectFolder.script("mpirun-java").toString(), "-n", Integer.toString(ranks))));
            }
            command.addAll(flavour.launchOptions());
            command.addAll(List.of("--timeout", Long.toString(timeout.toSeconds())));
            if (restarts > 0) {
                command.addAll(List.of("--restarts", Integer.toString(restarts)));
            }
            // Most jobs are over before the second compiler pays.
            command.addAll(List.of("--vm", "-XX:TieredStopAtLevel=1"));
            vmOptions.forEach(option -> command.addAll(List.of("--vm", option)));
            command.addAll(List.of(MpiRank.class.getName(), folder.toString(), mainClass.getName()));
            command.addAll(arguments);
            return command;
        }
    }

    private static Path log(Path folder) {
        return folder.resolve("job.log");
    }

    /** Process id of a rank, once it has started. */
    public long pid(int rank) {
        Path file = MpiRank.pidFile(folder, rank);
        awaitCondition("rank " + rank + " has started", () -> Files.exists(file));
        return Long.parseLong(read(file));
    }

    /** Waits until the output of a rank contains a text. */
    public void awaitOutput(int rank, String text) {
        Path file = MpiRank.outputFile(folder, rank);
        awaitCondition("rank " + rank + " prints '" + text + "'",
                () -> Files.exists(file) && read(file).contains(text));
    }

    /** What a rank has reported by {@link MpiRank#report}, if it has. */
    public Optional<String> report(String name) {
        Path file = folder.resolve(name);
        return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
    }

    /** Waits until a rank has reported a text under a name, whatever it reported there before. */
    public void awaitReport(String name, String text) {
        awaitCondition("'" + text + "' is reported as " + name, () -> report(name).equals(Optional.of(text)));
    }

    /** Lets all ranks know something: {@link MpiRank#isTold} is true from now on. */
    public void tell(String name) {
        try {
            Files.createFile(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Kills the processes of ranks with SIGKILL, all at once, and returns when they are gone.
     *
     * @throws AssertionError when the process of a rank had already ended, or doesn't die
     */
    public void kill(int... ranksToKill) {
        List<ProcessHandle> victims = IntStream.of(ranksToKill).mapToObj(this::alive).toList();
        for (int i = 0; i < ranksToKill.length; i++) {
            if (Files.exists(MpiRank.endFile(folder, ranksToKill[i])) || !victims.get(i).destroyForcibly()) {
                throw failure("rank " + ranksToKill[i] + " can't be killed: its program is over, pid="
                        + victims.get(i).pid());
            }
        }
        for (int i = 0; i < ranksToKill.length; i++) {
            awaitFailure(ranksToKill[i], victims.get(i));
            killedRanks.add(ranksToKill[i]);
        }
    }

    /** Returns when the process of a rank that was told to end itself is gone. */
    public void awaitEnd(int rank) {
        ProcessHandle.of(pid(rank)).ifPresent(victim -> awaitFailure(rank, victim));
        killedRanks.add(rank);
    }

    private ProcessHandle alive(int rank) {
        long pid = pid(rank);
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
                .orElseThrow(() -> failure("rank " + rank + " ended before it could be killed: pid=" + pid));
    }

    private void awaitFailure(int rank, ProcessHandle victim) {
        try {
            victim.onExit().get(GRACE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw failure("rank " + rank + " didn't die: pid=" + victim.pid());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits for the end of the job; it comes, after the timeout at the latest. */
    public MpiResult await() {
        try {
            if (!process.waitFor(timeout.plus(GRACE).toSeconds(), TimeUnit.SECONDS)) {
                throw failure("the job didn't end " + GRACE.toSeconds() + " s after its timeout");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        MpiResult result = result();
        if (result.exitCode() == 0 && !mainClass.equals(ContractRank.class)) {
            RunTable.kept(flavour, Optional.empty(), mainClass.getPackageName(),
                    mainClass.getSimpleName() + " on " + ranks);
        }
        return result;
    }

    private MpiResult result() {
        List<String> outputs = IntStream.range(0, ranks).mapToObj(rank -> MpiRank.outputFile(folder, rank))
                .map(file -> Files.exists(file) ? read(file) : "").toList();
        return new MpiResult(process.isAlive() ? -1 : process.exitValue(), outputs, read(log(folder)),
                killedRanks, Duration.ofNanos(System.nanoTime() - startNanos));
    }

    /** Ends the job's processes if they are still there. */
    @Override
    public void close() {
        if (!process.isAlive()) {
            return;
        }
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
                // The processes it has started notice that it is gone.
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void awaitCondition(String description, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            failIfARankHasFailed();
            if (!process.isAlive()) {
                if (condition.getAsBoolean()) {
                    return;
                }
                throw failure("the job ended before " + description);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    /** Under ULFM the others go on without a rank whose program has thrown, and would be waited for in vain. */
    private void failIfARankHasFailed() {
        for (int rank = 0; rank < ranks; rank++) {
            if (Files.exists(MpiRank.errorFile(folder, rank))) {
                throw failure("the program of rank " + rank + " has thrown");
            }
        }
    }

    private AssertionError failure(String what) {
        return new AssertionError(what + "\n" + result().describe());
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for an MPI job", e);
    }

    private static String read(Path file) {
        try {
            // A rank that was killed may have left half a character.
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
