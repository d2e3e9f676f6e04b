package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.restorej.comm.mpi.Programs;

/**
 * A job that saves in files, as ranks of MPI: {@code FOLDER UNTIL HAPPENS}, where something happens once in iteration 3:
 * {@code kill} a rank, {@code stop} the job, or its time is {@code over}; or the job begins {@code anew}, and a rank of
 * its first start is killed in iteration 0.
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
            boolean anew = happens.equals("anew");
            LoopJob job = new LoopJob(until).replication(happens.equals("throw and end") ? 2 : 1)
                    .in(LoopFiles.in(folder, "job").startFresh(anew));
            if (happens.equals("over")) {
                job.with(loop -> loop.endBefore(Instant.now()));
            }
            job.before((comm, iteration) -> {
                if (iteration == (anew ? 0 : ITERATION) && comm.rank() == comm.ranks().originalSize() - 1) {
                    happen(happens, folder);
                }
            });
            LoopJob.Result result = job.run(world);
            System.out.println("from " + result.firstIteration() + " to " + result.sums());
        });
    }

    private static void happen(String happens, Path folder) throws IOException, InterruptedException {
        switch (happens) {
            case "kill" -> kill();
            case "anew" -> {
                if ("0".equals(System.getenv("RESTOREJ_RESTART_COUNT"))) {
                    kill();
                }
            }
            case "stop" -> Files.writeString(folder.resolve("job/stop"), "");
            case "throw", "throw and end" -> throw new IllegalArgumentException("a mistake of the program");
            default -> {
            }
        }
    }

    private static void kill() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
    }
}
