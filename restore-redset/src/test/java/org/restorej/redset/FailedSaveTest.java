package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.ReStore;
import org.restorej.TestBlocks;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.placement.StoreRank;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.JobLock;

/** A checkpoint that can't be completed leaves nothing behind: a full disk would stay full, and a communicator open. */
class FailedSaveTest {
    private static final int RANKS = 3;
    private static final long BLOCKS = 90;
    private static final TestBlocks CONTENT = new TestBlocks(30, 3);

    @TempDir
    private Path folder = Path.of("");

    private int kept = 1;

    private RedundancyConfiguration configuration() {
        return new RedundancyConfiguration(List.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                folder, Scheme.xor(), RANKS)), Map.of(), Map.of(), kept);
    }

    private void withStore(FileOperations ofRank1, Program program) {
        LocalCluster.run(RANKS, world -> {
            BlockRanges share = LoadBalancer.equal(RANKS, BLOCKS).assignment().blocksOf(StoreRank.of(world));
            try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, configuration(), "job", "node" + world.rank(),
                    false, world.rank() == 1 ? ofRank1 : FileOperations.system());
                    ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                            .replication(1).build()) {
                store.submit(share.runs().getFirst(), CONTENT::write);
                program.run(checkpoint, store, share);
            }
            return true;
        });
    }

    /** What a rank does. */
    private interface Program {
        void run(RangeCheckpoint checkpoint, ReStore store, BlockRanges share);
    }

    private List<String> checkpoints() throws IOException {
        return DirectoryEntries.namesOf(folder.resolve("job")).stream()
                .filter(name -> !name.endsWith(JobLock.EXTENSION)).toList();
    }

    @Test
    void aSaveThatFailsOnOneDiskLeavesNothingOfItself() throws IOException {
        withStore(FileOperations.system(), (checkpoint, store, share) -> checkpoint.save(1, store, share));
        int failures = 0;
        boolean failed = true;
        for (int failAt = 0; failed; failAt++) {
            FailingFileOperations failing = new FailingFileOperations(failAt, false);
            withStore(failing, (checkpoint, store, share) -> {
                checkpoint.load(store);
                long id = checkpoint.nextId();
                try {
                    checkpoint.save(id, store, share);
                } catch (RedsetException full) {
                    assertSays(full, "No space left");
                }
            });
            failed = failing.hasFailed();
            failures += failed ? 1 : 0;
            assertEquals(List.of("checkpoint." + (failed ? 1 : 2)), checkpoints(), "failed at change " + failAt);
        }
        assertTrue(failures > 3, "failures " + failures);
    }

    @Test
    void whatAnInterruptedSaveHasLeftGoesWithTheNext() throws IOException {
        kept = 3;
        withStore(FileOperations.system(), (checkpoint, store, share) -> checkpoint.save(1, store, share));
        for (int id = 2; id < 4; id++) {
            Path left = Files.createDirectories(folder.resolve("job/checkpoint." + id));
            Files.write(left.resolve(".x.restorej-part"), new byte[100]);
        }
        withStore(FileOperations.system(), (checkpoint, store, share) -> {
            assertEquals(1, checkpoint.load(store).orElseThrow().id());
            checkpoint.save(checkpoint.nextId(), store, share);
        });
        assertEquals(List.of("checkpoint.1", "checkpoint.4"), checkpoints());
    }

    /** Each rank finds the files of the other one in its folder, and so none that protects its own. */
    @Test
    void whatOtherRanksHaveCompletedStaysUntilTheNextIsComplete() throws IOException {
        int ranks = 2;
        for (boolean swapped : new boolean[]{false, true}) {
            LocalCluster.run(ranks, world -> {
                BlockRanges share = LoadBalancer.equal(ranks, BLOCKS).assignment().blocksOf(StoreRank.of(world));
                Path node = folder.resolve("node" + (swapped ? 1 - world.rank() : world.rank()));
                RedundancyConfiguration own = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                        RedundancyConfiguration.GROUP_NODE, node, Scheme.xor(), ranks));
                FileOperations full = new FailingFileOperations(0, true);
                try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, own, "job", "node" + world.rank(), false,
                        swapped ? full : FileOperations.system());
                        ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                                .replication(1).build()) {
                    if (swapped) {
                        assertEquals(1, checkpoint.load(store).orElseThrow().id());
                        assertThrows(RedsetException.class, () -> checkpoint.save(2, store, share));
                    } else {
                        store.submit(share.runs().getFirst(), CONTENT::write);
                        checkpoint.save(1, store, share);
                    }
                }
                return true;
            });
        }
        for (int rank = 0; rank < ranks; rank++) {
            Path node = folder.resolve("node" + rank + "/job");
            assertTrue(Files.exists(node.resolve("checkpoint.1/" + rank + ".blocks")));
            assertTrue(Files.notExists(node.resolve("checkpoint.2")));
        }
    }

    /** All ranks are on one node, which is known only when the files are protected. */
    @Test
    void aSaveThatTheSchemeRefusesLeavesNothingOfItself() throws IOException {
        LocalCluster.run(RANKS, world -> {
            BlockRanges share = LoadBalancer.equal(RANKS, BLOCKS).assignment().blocksOf(StoreRank.of(world));
            try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, configuration(), "job", "node", false);
                    ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                            .replication(1).build()) {
                store.submit(share.runs().getFirst(), CONTENT::write);
                assertThrows(IllegalArgumentException.class, () -> checkpoint.save(1, store, share));
            }
            return true;
        });
        assertEquals(List.of(), checkpoints());
    }

    @Test
    void idsThatDifferLeaveNoDirectories() throws IOException {
        LocalCluster.run(RANKS, world -> {
            try (Datasets datasets = new Datasets(world, configuration(), "job", "node" + world.rank(), false)) {
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                        () -> datasets.complete(4 + world.rank(), List.of()));
                assertSays(refused, "all ranks must protect the same");
                datasets.begin(3);
                datasets.complete(3, List.of());
            }
            return true;
        });
        assertEquals(List.of("checkpoint.3"), checkpoints());
    }

    @Test
    void aCheckpointThatIsRefusedKeepsNoCommunicator() {
        LocalCluster.run(RANKS, world -> {
            OpenCommunicators open = new OpenCommunicators();
            Communicator watched = open.watch(world);
            try (Datasets datasets = new Datasets(watched, configuration(), "job", "node" + world.rank(), false)) {
                int before = open.count();
                for (int i = 0; i < 3; i++) {
                    assertThrows(RedsetException.class,
                            () -> datasets.complete(1, List.of(datasets.begin(1).resolve("absent"))));
                    assertThrows(IllegalArgumentException.class,
                            () -> datasets.complete(1, List.of(Path.of("/etc/hostname"))));
                }
                assertEquals(before, open.count());
            }
            assertEquals(0, open.count());
            return true;
        });
    }
}
