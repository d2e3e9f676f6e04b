package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/**
 * A cluster of nodes on this machine, made by {@code tests/nodes}: jobs on it send by TCP, and nodes and links fail when
 * they are told to. Ranks fill one node after the other; nodes are numbered from 1.
 */
public final class Nodes implements AutoCloseable {
    /** The system property that makes a failure of a test that finds no nodes. */
    private static final String REQUIRED = "restorej.require.nodes";

    /** The system property that makes a failure of a test that finds no Slurm for nodes. */
    private static final String SLURM_REQUIRED = "restorej.require.slurm";

    /** The network of each node. */
    static final String INTERFACE = "eth0";

    private static final Path FOLDER = Path.of("/run/restorej-nodes");
    private static final int CANNOT = 3;
    private static final long TIMEOUT_SECONDS = 60;

    private static final Duration BATCH_TIMEOUT = Duration.ofMinutes(5);
    private static final long POLL_MILLIS = 200;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name;
    private final int count;

    private Nodes(String name, int count) {
        this.name = name;
        this.count = count;
    }

    private record Outcome(int exitCode, String output) {}

    /** Skips the calling test where there can be no nodes, and says so; or fails it, where they must be. */
    public static void require() {
        require(List.of("check"), "several nodes", REQUIRED);
    }

    /** The same where there can be no Slurm on nodes. */
    public static void requireSlurm() {
        require();
        require(List.of("slurm", "check"), "Slurm", SLURM_REQUIRED);
    }

    private static void require(List<String> question, String what, String required) {
        Outcome check = call(question);
        if (check.exitCode() == 0) {
            return;
        }
        String missing = "######## NOT TESTED on " + what + ": " + check.output().strip() + "; -D" + required
                + "=true turns this into a failure";
        if (check.exitCode() != CANNOT || Boolean.getBoolean(required)) {
            throw new AssertionError(missing);
        }
        System.err.println(missing);
        Assumptions.abort(missing);
    }

    /** A new cluster, that no other one meets. */
    public static Nodes up(int count) {
        require();
        Nodes nodes = new Nodes("t" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet(), count);
        nodes.run("up", "--nodes", Integer.toString(count));
        return nodes;
    }

    /** A new cluster with Slurm. */
    public static Nodes upWithSlurm(int count) {
        requireSlurm();
        Nodes nodes = up(count);
        try {
            nodes.startSlurm();
        } catch (AssertionError failure) {
            nodes.close();
            throw failure;
        }
        return nodes;
    }

    /** Starts Slurm, or what of it isn't running any more. */
    public void startSlurm() {
        run("slurm", "up");
    }

    /** Runs a command of Slurm, which must succeed, and returns what it has printed. */
    public String slurm(String... command) {
        List<String> words = new ArrayList<>(List.of("--name", name, "slurm"));
        words.addAll(List.of(command));
        return requireSuccess(words);
    }

    /**
     * Submits a script by {@code sbatch} with these words, and returns when its job, or all tasks of its array, are
     * over.
     */
    public String runBatch(String... words) {
        List<String> command = new ArrayList<>(List.of("sbatch", "--parsable"));
        command.addAll(List.of(words));
        String job = slurm(command.toArray(String[]::new)).strip();
        long deadline = System.nanoTime() + BATCH_TIMEOUT.toNanos();
        while (!slurm("squeue", "--noheader", "--job", job).isBlank()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("job " + job + " didn't end within " + BATCH_TIMEOUT);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for job " + job, e);
            }
        }
        return job;
    }

    /** Whether no process is left on a node. */
    public boolean hasFailed(int node) {
        String beginning = "node" + node + " ";
        return requireSuccess(List.of("--name", name, "status")).lines()
                .anyMatch(line -> line.startsWith(beginning) && line.endsWith(" processes=0"));
    }

    /** A command of Slurm, to be started by the caller. */
    public List<String> slurmCommand(String... command) {
        List<String> words = new ArrayList<>(
                List.of(ProjectFolder.root().resolve("tests/nodes").toString(), "--name", name, "slurm"));
        words.addAll(List.of(command));
        return words;
    }

    /** Number of nodes. */
    public int count() {
        return count;
    }

    /** Ends every process on nodes, the MPI's daemons too, all in the same moment. */
    public void kill(int... nodes) {
        run(Stream.concat(Stream.of("kill"), IntStream.of(nodes).mapToObj(Integer::toString)).toArray(String[]::new));
    }

    /** The folder that is another one on each node: its disk. */
    public Path disk() {
        return FOLDER.resolve(name).resolve("disk");
    }

    /** Where a node's disk is on this machine. */
    public Path diskOf(int node) {
        return FOLDER.resolve(name).resolve("disks").resolve(Integer.toString(node));
    }

    /** Removes all files on a node's disk. */
    public void wipe(int node) {
        run("wipe", Integer.toString(node));
    }

    /** Takes a node's link away. */
    public void cut(int node) {
        run("cut", Integer.toString(node));
    }

    /** Gives a node's link back. */
    public void heal(int node) {
        run("heal", Integer.toString(node));
    }

    /**
     * Keeps a node busy, and returns when it no longer is.
     *
     * @param processes that compute without end
     * @return how many of them were there while it lasted
     */
    public long load(int node, int processes, Duration length) throws IOException, InterruptedException {
        String busy = "for ((i = 0; i < " + processes + "; i++)); do (while :; do :; done) & done; sleep "
                + length.toSeconds() + "; kill -KILL $(jobs -p)";
        Process process = new ProcessBuilder(ProjectFolder.root().resolve("tests/nodes").toString(), "--name", name,
                "exec",
                Integer.toString(node), "bash", "-c", busy).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        long there = 0;
        for (long begin = System.nanoTime(); there < processes && System.nanoTime() - begin < length.toNanos();) {
            Thread.sleep(POLL_MILLIS);
            // But for the one that sleeps, which begins last, and on a busy machine late.
            there = process.toHandle().children().count() - 1;
        }
        if (!process.waitFor(length.toSeconds() + TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the load on node " + node + " doesn't end");
        }
        return there;
    }

    /** Ends all processes on the nodes, and removes these. */
    @Override
    public void close() {
        run("down");
    }

    /**
     * The beginning of a command that runs a job on all nodes; its other options are those of {@code bin/mpirun-java}.
     */
    List<String> jobCommand(int ranks) {
        return List.of(ProjectFolder.root().resolve("tests/nodes").toString(), "--name", name, "run", "-n",
                Integer.toString(ranks));
    }

    private void run(String... command) {
        List<String> words = new ArrayList<>(List.of("--name", name));
        words.addAll(List.of(command));
        requireSuccess(words);
    }

    private static String requireSuccess(List<String> words) {
        Outcome outcome = call(words);
        if (outcome.exitCode() != 0) {
            throw new AssertionError(words + ": exit code " + outcome.exitCode() + "\n" + outcome.output());
        }
        return outcome.output();
    }

    private static Outcome call(List<String> words) {
        List<String> command = new ArrayList<>(List.of(ProjectFolder.root().resolve("tests/nodes").toString()));
        command.addAll(words);
        try {
            ProcessRun run = ProcessRun.of(new ProcessBuilder(command).redirectErrorStream(true));
            return new Outcome(run.exitCode(), run.output());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + command, e);
        }
    }
}
