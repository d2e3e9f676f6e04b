package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.restorej.comm.mpi.Programs;

/**
 * A job that saves in files, as ranks of MPI: {@code FOLDER UNTIL HAPPENS}, where something happens once in iteration 3:
 * {@code kill} a rank, {@code stop} the job, or its time is {@code over}.
 */
public final class LoopRestartProgram {
    static final long ITERATION = 3;

    private LoopRestartProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[0]);
        long until = Long.parseLong(arguments[1]);
        String happens = arguments[2];
        Programs.run(arguments, 4, world -> {
            LoopJob job = new LoopJob(until).replication(1).in(LoopFiles.in(folder, "job"));
            if (happens.equals("over")) {
                job.with(loop -> loop.endBefore(Instant.now()));
            }
            job.before((comm, iteration) -> {
                if (iteration == ITERATION && comm.rank() == comm.size() - 1) {
                    happen(happens, folder);
                }
            });
            LoopJob.Result result = job.run(world);
            System.out.println("from " + result.firstIteration() + " to " + result.sums());
        });
    }

    private static void happen(String happens, Path folder) throws IOException, InterruptedException {
        switch (happens) {
            case "kill" -> {
                new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
            }
            case "stop" -> Files.writeString(folder.resolve("job/stop"), "");
            case "throw" -> throw new IllegalArgumentException("a mistake of the program");
            default -> {
            }
        }
    }
}
