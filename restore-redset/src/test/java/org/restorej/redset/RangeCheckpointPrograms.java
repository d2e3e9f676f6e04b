package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.restorej.IrrecoverableDataLossException;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.TestBlocks;
import org.restorej.balance.EqualLoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.redset.protocol.RedsetException;
import org.restorej.redset.scheme.Scheme;
import org.restorej.redset.sets.RedundancyConfiguration;
import org.restorej.redset.sets.RedundancyDescriptor;
import org.restorej.redset.sets.SmallSets;

/**
 * What checkpoints of blocks promise. All PEs of a job share a directory, in which each has one that stands for its node's
 * disk.
 */
public final class RangeCheckpointPrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since some leave dead PEs behind. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("as many PEs load what they saved, after losing a disk", 2,
                    RangeCheckpointPrograms::loadsWithAsMany),
            new ContractProgram("blocks of different sizes are loaded", 2,
                    RangeCheckpointPrograms::loadsDifferentSizes),
            new ContractProgram("a pull reads what no memory has from the files", 2,
                    RangeCheckpointPrograms::pullsFromFiles),
            new ContractProgram("a pull computes anew what files lost too", 3,
                    RangeCheckpointPrograms::pullsFromRedundancy),
            new ContractProgram("fewer PEs load what more have saved", 3, RangeCheckpointPrograms::loadsWithFewer),
            new ContractProgram("blocks of an older generation are not mixed in", 2,
                    RangeCheckpointPrograms::refusesOldBlocks),
            new ContractProgram("what is missing is named", 3, RangeCheckpointPrograms::namesWhatIsMissing));

    private static final long BLOCKS = 300;
    private static final TestBlocks CONTENT = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** A directory that all PEs see. */
    private static Path sharedDirectory(Communicator world) {
        long[] stamp = {world.rank() == 0 ? System.nanoTime() : Long.MIN_VALUE};
        world.allReduce(stamp, Reduction.MAX);
        return Path.of(System.getProperty("java.io.tmpdir"), "redset-shared" + stamp[0]);
    }

    private static void remove(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void end(Communicator left, Path shared) {
        barrier(left);
        if (left.rank() == 0) {
            remove(shared);
        }
    }

    private static Path disk(Path shared, int rank) {
        return shared.resolve("node" + rank);
    }

    private static RangeCheckpoint checkpoint(Communicator world, Path shared, Scheme scheme) {
        return new RangeCheckpoint(world,
                RedundancyConfiguration.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                        disk(shared, world.rank()), scheme, Math.max(scheme.smallestSet(), world.size()))),
                "job", "node" + world.rank(), SmallSets.REFUSE);
    }

    private static ReStore store(Communicator world, RangeCheckpoint checkpoint) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes()).replication(1)
                .permutationRangeBlocks(7).fallback(checkpoint.fallback()).build();
    }

    private static BlockRanges share(Communicator world) {
        return new EqualLoadBalancer(world.size(), BLOCKS).assignment().blocksOf(world.originalRank());
    }

    private static void submit(Communicator world, ReStore store) {
        Submission submission = new Submission();
        share(world).runs().forEach(run -> submission.add(run, CONTENT::write));
        store.submit(submission);
    }

    private static void barrier(Communicator world) {
        world.allReduce(new long[1], Reduction.SUM);
    }

    private static Communicator kill(Communicator world, int rank) {
        ((FailureSimulation) world).fail(IntSet.of(rank));
        throwing(RuntimeException.class, () -> {
            try {
                barrier(world);
            } catch (ProcessFailedException | CommunicatorRevokedException expected) {
                world.revoke();
                throw expected;
            }
        }, "a collective call with dead PEs");
        return world.shrink();
    }

    private static void loadsWithAsMany(Communicator world) {
        Path shared = sharedDirectory(world);
        try (RangeCheckpoint first = checkpoint(world, shared, Scheme.xor()); ReStore store = store(world, first)) {
            equal(OptionalLong.empty(), first.load(store), "loaded from nothing");
            submit(world, store);
            first.save(1, store, share(world));
            first.save(2, store, share(world));
        }
        if (world.rank() == 1) {
            remove(disk(shared, 1));
        }
        barrier(world);
        try (RangeCheckpoint second = checkpoint(world, shared, Scheme.xor()); ReStore store = store(world, second)) {
            equal(OptionalLong.of(2), second.load(store), "loaded");
            CONTENT.pullAndCheck(store, EVERYTHING);
            holds(Files.exists(disk(shared, 1).resolve("job/checkpoint.2/1.blocks")), "the lost file is there again");
        }
        end(world, shared);
    }

    private static void loadsDifferentSizes(Communicator world) {
        Path shared = sharedDirectory(world);
        try (RangeCheckpoint checkpoint = checkpoint(world, shared, Scheme.partner(1));
                ReStore store = variableStore(world, checkpoint);
                ReStore other = variableStore(world, checkpoint)) {
            Submission submission = new Submission();
            share(world).runs().forEach(
                    run -> submission.add(run, id -> id % 5 * 3, (id, block) -> block.fill((byte) id)));
            store.submit(submission);
            checkpoint.save(1, store, share(world));
            equal(OptionalLong.of(1), checkpoint.load(other), "loaded");
            long[] seen = new long[1];
            other.pull(EVERYTHING, (id, block) -> {
                equal(id % 5 * 3, block.byteSize(), "size of block " + id);
                holds(block.mismatch(MemorySegment.ofArray(filled(id))) < 0, "content of block " + id);
                seen[0]++;
            });
            equal(BLOCKS, seen[0], "blocks");
            if (world.size() > 2) {
                Communicator survivors = kill(world, world.size() - 1);
                other.recover(survivors);
                holds(!other.lostBlocks().isEmpty(), "blocks are lost");
                other.pull(other.lostBlocks(), (id, block) -> equal(id % 5 * 3, block.byteSize(), "size of " + id));
                end(survivors, shared);
            } else {
                end(world, shared);
            }
        }
    }

    private static byte[] filled(long id) {
        byte[] bytes = new byte[(int) (id % 5 * 3)];
        Arrays.fill(bytes, (byte) id);
        return bytes;
    }

    private static ReStore variableStore(Communicator world, RangeCheckpoint checkpoint) {
        return ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(6).replication(1).permutationRangeBlocks(7)
                .fallback(checkpoint.fallback()).build();
    }

    private static void pullsFromFiles(Communicator world) {
        Path shared = sharedDirectory(world);
        try (RangeCheckpoint checkpoint = checkpoint(world, shared, Scheme.single());
                ReStore store = store(world, checkpoint)) {
            submit(world, store);
            checkpoint.save(1, store, share(world));
            Communicator survivors = kill(world, world.size() - 1);
            store.recover(survivors);
            holds(!store.lostBlocks().isEmpty(), "blocks are lost");
            CONTENT.pullAndCheck(store, EVERYTHING);
            end(survivors, shared);
        }
    }

    private static void pullsFromRedundancy(Communicator world) {
        Path shared = sharedDirectory(world);
        int victim = world.size() - 2;
        try (RangeCheckpoint checkpoint = checkpoint(world, shared, Scheme.xor());
                ReStore store = store(world, checkpoint)) {
            submit(world, store);
            checkpoint.save(1, store, share(world));
            Communicator survivors = kill(world, victim);
            if (survivors.rank() == 0) {
                remove(disk(shared, victim));
            }
            barrier(survivors);
            store.recover(survivors);
            holds(!store.lostBlocks().isEmpty(), "blocks are lost");
            CONTENT.pullAndCheck(store, EVERYTHING);
            holds(!Files.exists(disk(shared, victim)), "a pull only reads where checkpoints are");
            end(survivors, shared);
        }
    }

    private static void loadsWithFewer(Communicator world) {
        Path shared = sharedDirectory(world);
        int victim = world.size() - 1;
        try (RangeCheckpoint checkpoint = checkpoint(world, shared, Scheme.xor());
                ReStore store = store(world, checkpoint)) {
            submit(world, store);
            checkpoint.save(1, store, share(world));
            if (world.rank() == 0) {
                remove(disk(shared, 1));
            }
            barrier(world);
            Communicator fewer = kill(world, victim);
            // A job of its own: it sees only the directories that its configuration names.
            RedundancyConfiguration all = new RedundancyConfiguration(stores(shared, world.size()), Map.of(),
                    Map.of(), 1);
            try (RangeCheckpoint restarted = new RangeCheckpoint(fewer, all, "job", "node" + fewer.rank(),
                    SmallSets.REFUSE); ReStore fresh = store(fewer, restarted)) {
                equal(OptionalLong.of(1), restarted.load(fresh), "loaded");
                CONTENT.pullAndCheck(fresh, EVERYTHING);
                end(fewer, shared);
            }
        }
    }

    /** One descriptor for each disk of the former job. */
    private static List<RedundancyDescriptor> stores(Path shared, int disks) {
        return IntStream.range(0, disks).mapToObj(disk -> new RedundancyDescriptor(disk + 1L,
                RedundancyConfiguration.GROUP_NODE, disk(shared, disk), Scheme.xor(), 2)).toList();
    }

    private static void refusesOldBlocks(Communicator world) {
        Path shared = sharedDirectory(world);
        try (RangeCheckpoint checkpoint = checkpoint(world, shared, Scheme.single());
                ReStore store = store(world, checkpoint)) {
            submit(world, store);
            checkpoint.save(1, store, share(world));
            submit(world, store);
            Communicator survivors = kill(world, world.size() - 1);
            store.recover(survivors);
            IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                    () -> CONTENT.pullAndCheck(store, EVERYTHING), "a pull of lost blocks");
            holds(loss.getSuppressed().length > 0
                    && String.valueOf(loss.getSuppressed()[0].getMessage())
                            .contains("generation 1, and the store is at 2"),
                    "the reason is told: " + List.of(loss.getSuppressed()));
            end(survivors, shared);
        }
    }

    private static void namesWhatIsMissing(Communicator world) {
        Path shared = sharedDirectory(world);
        try (RangeCheckpoint checkpoint = checkpoint(world, shared, Scheme.xor());
                ReStore store = store(world, checkpoint)) {
            submit(world, store);
            RedsetException tooFew = throwing(RedsetException.class,
                    () -> checkpoint.save(1, store, BlockRanges.of(BlockRange.of(0, 1))), "shares that don't add up");
            holds(String.valueOf(tooFew.getMessage()).contains("they have " + world.size()), tooFew.toString());
            checkpoint.save(1, store, share(world));
            barrier(world);
            if (world.rank() < 2) {
                remove(disk(shared, world.rank()));
            }
            barrier(world);
            RedsetException lost = throwing(RedsetException.class, () -> checkpoint.load(store), "a load");
            holds(String.valueOf(lost.getMessage()).contains("checkpoint 1: of the files of " + world.size()
                    + " ranks no PE sees those of [0, 1] whole"), lost.toString());
        }
        end(world, shared);
    }
}
