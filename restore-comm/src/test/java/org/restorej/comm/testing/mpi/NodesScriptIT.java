package org.restorej.comm.testing.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** What {@code tests/nodes} makes and leaves behind, apart from jobs. */
@Deep
class NodesScriptIT {
    /** Longer than the script waits for daemons of Slurm. */
    private static final long TIMEOUT_SECONDS = 120;

    private static final String NAME = "s" + ProcessHandle.current().pid();
    private static final String OTHER = NAME + "b";

    @TempDir
    private Path folder;

    @AfterEach
    void removeClusters() throws IOException, InterruptedException {
        for (String name : List.of(NAME, OTHER)) {
            if (Files.exists(Path.of("/run/restorej-nodes", name))) {
                call("--name", name, "down");
            }
        }
    }

    @Test
    void nodesHaveNamesAndReachEachOtherUntilALinkIsCut() throws IOException, InterruptedException {
        Nodes.require();
        up(NAME);
        assertEquals("node2\n", call("--name", NAME, "exec", "2", "cat", "/proc/sys/kernel/hostname").output());
        assertFalse(Files.readString(Path.of("/proc/sys/kernel/hostname")).startsWith("node2"), "this machine's name");
        // Nobody listens there: a refusal is an answer.
        String[] connect = {"--name", NAME, "exec", "1", "timeout", "2", "bash", "-c", "true > /dev/tcp/node3/9"};
        assertTrue(call(connect).output().contains("refused"), "node3 answers");
        assertEquals(0, call("--name", NAME, "cut", "3").exitCode());
        assertFalse(call(connect).output().contains("refused"), "node3 answers without a link");
        assertTrue(call("--name", NAME, "status").output().contains("node3 10.77.0.3 link=cut"), "status");
        assertEquals(0, call("--name", NAME, "heal", "3").exitCode());
        assertTrue(call(connect).output().contains("refused"), "node3 answers again");
    }

    @Test
    void killEndsAllOfOneNodeAndNothingElse() throws IOException, InterruptedException {
        Nodes.require();
        up(NAME);
        up(OTHER);
        List<Process> sleepers = List.of(sleeper(NAME, "1"), sleeper(NAME, "2"), sleeper(OTHER, "2"));
        assertEquals(0, call("--name", NAME, "kill", "2").exitCode());
        assertTrue(sleepers.get(1).waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS), "the process on the node ends");
        assertTrue(sleepers.get(0).isAlive(), "the process on another node");
        assertTrue(sleepers.get(2).isAlive(), "the process of another cluster");
        assertEquals(0, call("--name", OTHER, "down").exitCode());
        assertTrue(sleepers.get(2).waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS), "the process ends with its cluster");
        assertTrue(sleepers.get(0).isAlive(), "the process of the cluster that is left");
    }

    @Test
    void nothingIsLeftOfAClusterWhoseScriptWasKilled() throws IOException, InterruptedException {
        Nodes.require();
        Process up = start("--name", NAME, "up", "--nodes", "30");
        while (!Files.exists(Path.of("/run/netns/restorej-" + NAME + "-3")) && up.isAlive()) {
            Thread.sleep(1);
        }
        up.destroyForcibly().waitFor();
        assertTrue(Files.exists(Path.of("/run/netns/restorej-" + NAME + "-3")), "half a cluster");
        up(NAME);
        assertEquals(3, call("--name", NAME, "status").output().lines().count(), "nodes of the new cluster");
        assertEquals(0, call("--name", NAME, "down").exitCode());
        try (var left = Files.list(Path.of("/run/netns"))) {
            assertEquals(List.of(), left.filter(path -> path.toString().contains("-" + NAME + "-")).toList());
        }
        assertFalse(Files.exists(Path.of("/run/restorej-nodes", NAME)), "files of the cluster");
    }

    /** With a job that is running, and a step of it. */
    @Test
    void nothingIsLeftOfSlurm() throws Exception {
        Nodes.requireSlurm();
        up(NAME);
        ProcessRun slurm = call("--name", NAME, "slurm", "up");
        assertEquals(0, slurm.exitCode(), slurm::output);
        assertEquals(0, call("--name", NAME, "slurm", "up").exitCode(), "again");
        assertEquals(0, call("--name", NAME, "slurm", "up", "--cpus", "4").exitCode(), "as many processors");
        ProcessRun more = call("--name", NAME, "slurm", "up", "--cpus", "40");
        assertEquals(2, more.exitCode(), more::output);
        assertTrue(more.output().contains("4 processors, not --cpus 40"), more::output);
        Path started = folder.resolve("started");
        assertEquals(0, call("--name", NAME, "slurm", "sbatch", "--nodes=2", "--output=/dev/null", "--wrap",
                "srun bash -c 'echo $$ > " + started + "-$SLURM_NODEID; exec sleep 300'").exitCode());
        List<Path> pids = new ArrayList<>(List.of(Path.of(started + "-0"), Path.of(started + "-1")));
        Path files = Path.of("/run/restorej-nodes", NAME, "slurm");
        Stream.of("munged", "slurmctld", "slurmd-node1", "slurmd-node2", "slurmd-node3")
                .forEach(daemon -> pids.add(files.resolve(daemon + ".pid")));
        List<ProcessHandle> processes = new ArrayList<>();
        for (Path pid : pids) {
            processes.add(awaitProcess(pid));
        }
        assertEquals(0, call("--name", NAME, "down").exitCode());
        assertFalse(Files.exists(files), "files");
        for (ProcessHandle process : processes) {
            // Failed at once, but there until somebody has asked for its exit code.
            process.onExit().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static ProcessHandle awaitProcess(Path pid) throws IOException, InterruptedException {
        for (long deadline = System.nanoTime() + TIMEOUT_SECONDS * 1_000_000_000; System.nanoTime() < deadline;) {
            String text = Files.exists(pid) ? Files.readString(pid).strip() : "";
            if (!text.isEmpty()) {
                return ProcessHandle.of(Long.parseLong(text))
                        .orElseThrow(() -> new AssertionError(pid + " names no process: " + text));
            }
            Thread.sleep(5);
        }
        throw new AssertionError(pid + " names no process");
    }

    private static void up(String name) throws IOException, InterruptedException {
        ProcessRun outcome = call("--name", name, "up");
        assertEquals(0, outcome.exitCode(), outcome::output);
    }

    private Process sleeper(String cluster, String node) throws IOException, InterruptedException {
        Path ready = folder.resolve(cluster + "-" + node);
        Process process = start("--name", cluster, "exec", node, "bash", "-c", "> " + ready + "; sleep 300");
        while (!Files.exists(ready) && process.isAlive()) {
            Thread.sleep(5);
        }
        return process;
    }

    private static List<String> command(String... words) {
        List<String> command = new ArrayList<>(List.of(ProjectFolder.root().resolve("tests/nodes").toString()));
        command.addAll(List.of(words));
        return command;
    }

    private static Process start(String... words) throws IOException {
        return new ProcessBuilder(command(words)).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static ProcessRun call(String... words) throws IOException, InterruptedException {
        return end(new ProcessBuilder(command(words)));
    }

    private static ProcessRun end(ProcessBuilder builder) throws IOException, InterruptedException {
        return ProcessRun.of(builder.redirectErrorStream(true));
    }
}
