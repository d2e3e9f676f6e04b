package org.restorej.comm.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.testing.ProjectFolder;

/** Rank 0 starts other programs that use the library, before it enters MPI and in the middle. */
public final class ChildOfRankProgram {
    private static final int CHILD_THREADS = 3;

    private ChildOfRankProgram() {}

    /**
     * Runs.
     *
     * @param args empty, or the MPI of the job that rank 0 starts, too
     */
    public static void main(String[] args) throws Exception {
        if (MpiRank.rank() == 0) {
            startOnThreads();
        }
        Programs.run(args, 1, world -> {
            if (world.rank() == 0) {
                startOnThreads();
                if (args.length > 0) {
                    start(List.of(ProjectFolder.script("mpirun-java").toString(), "--mpi", args[0], "-n", "2",
                            "--timeout", "120"));
                }
            }
            world.barrier();
        });
    }

    private static void startOnThreads() throws IOException, InterruptedException {
        start(List.of(ProcessHandle.current().info().command().orElseThrow(), "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC", "-Xmx64m", "-cp", System.getProperty("java.class.path")));
    }

    private static void start(List<String> command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.add(Child.class.getName());
        ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", Objects.requireNonNull(System.getProperty("java.class.path")));
        Process process = builder.start();
        System.out.print(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        System.out.println("exit code " + process.waitFor());
    }

    /** What rank 0 starts. */
    public static final class Child {
        private Child() {}

        /** Runs. */
        public static void main(String[] args) {
            Programs.run(args, CHILD_THREADS, world -> {
                if (world.rank() == 0) {
                    System.out.println("child of " + world.size() + " PEs: " + world.getClass().getSimpleName());
                }
                world.barrier();
            });
        }
    }
}
