package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Programs;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.loop.CheckpointInterval;

/**
 * A job that saves in two levels, as ranks of MPI: {@code FOLDER UNTIL REPLICAS SEED KILLS}. In each of the first so many
 * starts a rank is killed at a time that chance chooses: also while the job goes on from files, saves, or is over.
 */
public final class RestartStormProgram {
    private static final int MAX_DELAY_MILLIS = 1500;
    /** Of the more durable level. */
    private static final int SELDOM = 4;

    private RestartStormProgram() {}

    /** Runs it. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[0]);
        long until = Long.parseLong(arguments[1]);
        int replicas = Integer.parseInt(arguments[2]);
        int start = Integer.parseInt(System.getenv().getOrDefault("RESTOREJ_RESTART_COUNT", "0"));
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[3]) + start);
        int delayMillis = random.nextInt(MAX_DELAY_MILLIS);
        int victim = random.nextInt(Integer.MAX_VALUE);
        boolean kills = start < Integer.parseInt(arguments[4]);
        Programs.run(arguments, 2, world -> {
            Thread killer = Thread.ofPlatform().daemon().unstarted(() -> killThisProcess(start, delayMillis));
            boolean isVictim = kills && world.originalRank().value() == victim % world.ranks().originalSize();
            if (isVictim) {
                killer.start();
            }
            LoopJob.Result result = job(world, folder, until, replicas).run(world);
            if (isVictim) {
                killer.join();
            }
            System.out.println("it has come to " + result.sums());
        });
    }

    private static LoopJob job(Communicator world, Path folder, long until, int replicas) {
        RedundancyConfiguration near = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, folder.resolve("near"), Scheme.xor(), 8));
        return new LoopJob(until).replication(replicas).with(loop -> loop
                .persist(LoopFiles.in(near, "job").host("node" + world.originalRank()).degradeSmallSets(true),
                        CheckpointInterval.iterations(1))
                .persist(LoopFiles.in(folder.resolve("far"), "job"), CheckpointInterval.iterations(SELDOM)));
    }

    private static void killThisProcess(int start, int delayMillis) {
        try {
            Thread.sleep(delayMillis);
            MpiRank.report("kill-" + start, "after " + delayMillis + " ms");
            // The folder of an MPI may have no command kill.
            new ProcessBuilder("bash", "-c", "kill -9 " + ProcessHandle.current().pid()).start().waitFor();
            MpiRank.report("survived-" + start, "");
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException("this process can't be killed", failed);
        }
    }
}
