package org.restorej.redset;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Programs;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.loop.CheckpointInterval;

/**
 * A job that saves in two levels, as ranks of MPI: {@code FOLDER UNTIL REPLICAS SEED KILLS [DISK TURN]}. In each of the
 * first so many starts a rank is killed at a time that chance chooses: also while the job goes on from files, saves, or
 * is over. With a disk, which is another one on each node, the first level is there, and in each start whose turn it is
 * (2 is every second) the last node of the job is to be killed instead.
 */
public final class RestartStormProgram {
    private static final int MAX_DELAY_MILLIS = 1500;
    private static final int ARGUMENTS_WITHOUT_DISK = 5;
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
        Optional<Path> disk = arguments.length > ARGUMENTS_WITHOUT_DISK
                ? Optional.of(Path.of(arguments[ARGUMENTS_WITHOUT_DISK]))
                : Optional.empty();
        boolean ofANode = disk.isPresent()
                && (start + 1) % Integer.parseInt(arguments[ARGUMENTS_WITHOUT_DISK + 1]) == 0;
        Programs.run(arguments, 2, world -> {
            int ranks = world.ranks().originalSize();
            Thread killer = Thread.ofPlatform().daemon().unstarted(() -> kill(start, delayMillis, ofANode));
            boolean isVictim = kills && world.originalRank().value() == (ofANode ? ranks - 1 : victim % ranks);
            if (isVictim) {
                killer.start();
            }
            LoopJob.Result result = new LoopJob(until).replication(replicas).with(loop -> loop
                    .persist(disk.isPresent() ? onNodes(disk.get()) : near(world, folder),
                            CheckpointInterval.iterations(1))
                    .persist(LoopFiles.in(folder.resolve("far"), "job"), CheckpointInterval.iterations(SELDOM)))
                    .run(world);
            if (isVictim) {
                killer.join();
            }
            System.out.println("it has come to " + result.sums());
        });
    }

    private static LoopFiles near(Communicator world, Path folder) {
        return onNodes(folder.resolve("near")).host("node" + world.originalRank());
    }

    private static LoopFiles onNodes(Path store) {
        return LoopFiles.in(RedundancyConfiguration.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                store, Scheme.xor(), RedundancyDescriptor.DEFAULT_SET_SIZE)), "job").degradeSmallSets(true);
    }

    private static void kill(int start, int delayMillis, boolean ofANode) {
        try {
            Thread.sleep(delayMillis);
            MpiRank.report("kill-" + start, ofANode ? InetAddress.getLocalHost().getHostName() : "a rank");
            if (ofANode) {
                // The test kills this node.
                Thread.sleep(Long.MAX_VALUE);
            }
            // The folder of an MPI may have no command kill.
            new ProcessBuilder("bash", "-c", "kill -9 " + ProcessHandle.current().pid()).start().waitFor();
            MpiRank.report("survived-" + start, "");
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException("this process can't be killed", failed);
        }
    }
}
