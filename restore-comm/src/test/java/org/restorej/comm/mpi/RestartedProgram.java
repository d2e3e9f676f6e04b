package org.restorej.comm.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.internal.mpi.ForeignUlfm;

/** All ranks but the first are killed at the first start; at the second the job has lost data; the third goes well. */
public final class RestartedProgram {
    private RestartedProgram() {}

    /** Runs. */
    public static void main(String[] args) {
        int start = Integer.parseInt(System.getenv("RESTOREJ_RESTART_COUNT"));
        Mpi.runForExitCode(args, world -> {
            world.barrier();
            return switch (start) {
                case 0 -> {
                    ForeignUlfm.killThisProcess();
                    yield 0;
                }
                case 1 -> {
                    if (world.rank() == 0) {
                        loseData();
                    }
                    world.barrier();
                    yield 75;
                }
                default -> {
                    MpiRank.report("end-" + world.rank(), "start " + start + " of " + world.size() + " PEs");
                    yield 0;
                }
            };
        });
    }

    private static void loseData() throws IOException {
        Files.writeString(Path.of(Objects.requireNonNull(System.getenv("RESTOREJ_JOB_STATE"))), "lost 120\n");
    }
}
