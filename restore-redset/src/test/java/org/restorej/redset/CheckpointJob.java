package org.restorej.redset;

import static org.restorej.comm.testing.Checks.throwing;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.TestBlocks;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.placement.StoreRank;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;

/**
 * A job that saves checkpoints of blocks. All PEs share a directory, in which each has one that stands for its node's
 * disk.
 *
 * @param world the PEs
 * @param shared the directory that all see
 */
record CheckpointJob(Communicator world, Path shared) {
    static final long BLOCKS = 300;
    static final TestBlocks CONTENT = new TestBlocks(24, 1);
    static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);
    /** So that a checkpoint that turns out to be damaged has one before it. */
    private static final int KEPT = 2;

    /** A job with a new directory. Called by all PEs. */
    static CheckpointJob on(Communicator world) {
        long[] stamp = {world.rank() == 0 ? System.nanoTime() : Long.MIN_VALUE};
        world.allReduce(stamp, Reduction.MAX);
        return new CheckpointJob(world, Path.of(System.getProperty("java.io.tmpdir"), "redset-shared" + stamp[0]));
    }

    /** The same directory, other PEs. */
    CheckpointJob with(Communicator others) {
        return new CheckpointJob(others, shared);
    }

    Path disk(int rank) {
        return shared.resolve("node" + rank);
    }

    /** A file of a PE's disk. */
    Path file(int rank, long id, String name) {
        return disk(rank).resolve("job/checkpoint." + id).resolve(name);
    }

    static void remove(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try {
            // The lock files of a PE that has just failed may be removed at the same time.
            DirectoryEntries.deleteTree(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Flips a bit near the end of a file of blocks: its header stays as it is. */
    void damageBlocks(int rank, long id) {
        Path file = file(rank, id, rank + ".blocks");
        try {
            FileDamage.flip(file, (int) Files.size(file) - 10);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void barrier() {
        world.allReduce(new long[1], Reduction.SUM);
    }

    /** Removes the directory. Called by all PEs that are left. */
    void end() {
        barrier();
        if (world.rank() == 0) {
            remove(shared);
        }
    }

    RangeCheckpoint checkpoint(Scheme scheme) {
        return checkpoint(scheme, FileOperations.system());
    }

    RangeCheckpoint checkpoint(Scheme scheme, FileOperations operations) {
        RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                disk(world.rank()), scheme, Math.max(scheme.smallestSet(), world.size()));
        return new RangeCheckpoint(world, new RedundancyConfiguration(List.of(descriptor), Map.of(), Map.of(), KEPT),
                "job", "node" + world.rank(), false, operations);
    }

    /** One that knows the disks of a former job, in whatever order, as a job that was started anew does. */
    RangeCheckpoint restarted(int disks) {
        List<RedundancyDescriptor> stores = IntStream.range(0, disks)
                .mapToObj(disk -> new RedundancyDescriptor(disk + 1L, RedundancyConfiguration.GROUP_NODE, disk(disk),
                        Scheme.xor(), 2))
                .toList();
        return new RangeCheckpoint(world, new RedundancyConfiguration(stores, Map.of(), Map.of(), 1), "job",
                "node" + world.rank(), false);
    }

    ReStore store(RangeCheckpoint checkpoint, int replication) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                .replication(replication).permutationRangeBlocks(7).fallback(checkpoint.fallback()).build();
    }

    ReStore store(RangeCheckpoint checkpoint) {
        return store(checkpoint, 1);
    }

    BlockRanges share() {
        return LoadBalancer.equal(world.size(), BLOCKS).assignment().blocksOf(StoreRank.of(world));
    }

    void submit(ReStore store, TestBlocks content) {
        Submission submission = new Submission();
        share().runs().forEach(run -> submission.add(run, content::write));
        store.submit(submission);
    }

    void submit(ReStore store) {
        submit(store, CONTENT);
    }

    /** Has a job of its own, of threads of the first PE, save a checkpoint to its disks. Called by all PEs. */
    void saveAsAnotherJob(int pes, long id) {
        if (world.rank() == 0) {
            LocalCluster.run(pes, threads -> {
                CheckpointJob job = with(threads);
                try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
                    job.submit(store);
                    checkpoint.save(id, store, job.share());
                }
                return true;
            });
        }
        barrier();
    }

    /** Ends PEs, and hands back the same job on those that are left. */
    CheckpointJob kill(IntSet ranks) {
        FailureSimulation.of(world).fail(ranks.toIntArray());
        throwing(RuntimeException.class, () -> {
            try {
                barrier();
            } catch (CommunicationFailedException expected) {
                world.revoke();
                throw expected;
            }
        }, "a collective call with failed PEs");
        return with(world.shrink());
    }
}
