package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStore;
import org.restorej.TestBlocks;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.placement.StoreRank;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.files.CountingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.testing.Deep;

/** Checkpoints of blocks on PEs that are threads. */
class RangeCheckpointTest {
    private static final int WRITERS = 4;
    private static final long BLOCKS = 200;
    private static final TestBlocks CONTENT = new TestBlocks(30, 3);

    @TempDir
    private Path folder = Path.of("");

    @TestFactory
    Stream<DynamicTest> keepsItsPromises() {
        return LocalClusterPrograms.tests(RangeCheckpointPrograms.ALL, List.of(4));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> keepsItsPromisesOnTwoPes() {
        return Stream.concat(LocalClusterPrograms.tests(RangeCheckpointPrograms.ALL, List.of(2)),
                LocalClusterPrograms.tests(FailingRangeCheckpointPrograms.ALL, List.of(2)));
    }

    @TestFactory
    Stream<DynamicTest> keepsItsPromisesWhenProcessesDie() {
        return LocalClusterPrograms.tests(FailingRangeCheckpointPrograms.ALL, List.of(4));
    }

    private RangeCheckpoint checkpoint(Communicator world) {
        return checkpoint(world, FileOperations.system());
    }

    private RangeCheckpoint checkpoint(Communicator world, FileOperations operations) {
        return new RangeCheckpoint(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, folder, Scheme.rs(2), WRITERS)), "job", "node" + world.rank(),
                true, operations);
    }

    private static ReStore store(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes()).replication(1).build();
    }

    private boolean save(Communicator world) {
        BlockRanges share = LoadBalancer.equal(world.size(), BLOCKS).assignment().blocksOf(StoreRank.of(world));
        try (RangeCheckpoint checkpoint = checkpoint(world); ReStore store = store(world)) {
            store.submit(share.runs().getFirst(), CONTENT::write);
            checkpoint.save(5, store, share);
        }
        return true;
    }

    @Test
    void aPeThatSeesNoFileLeavesThemToTheOthers() {
        LocalCluster.run(WRITERS, this::save);
        Path directory = folder.resolve("job/checkpoint.5");
        List<Integer> files = LocalCluster.run(WRITERS + 1, world -> {
            CheckpointFiles seen = CheckpointFiles.open(FileOperations.system(),
                    world.rank() == WRITERS ? List.of() : List.of(directory), CheckpointFiles.EXTENSION);
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                ReaderChoice choice = ReaderChoice.of(channel, seen);
                assertTrue(choice.isComplete(), "every file has a reader");
                return choice.mine().size();
            }
        });
        assertEquals(WRITERS, files.stream().mapToInt(Integer::intValue).sum());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void anotherJobOfAnyNumberOfPesLoadsIt(int readers) throws IOException {
        LocalCluster.run(WRITERS, this::save);
        Path directory = folder.resolve("job/checkpoint.5");
        Files.delete(directory.resolve("1.blocks"));
        Path damaged = directory.resolve("3.blocks");
        FileDamage.flip(damaged, (int) Files.size(damaged) / 2);
        List<Long> loaded = LocalCluster.run(readers, world -> {
            try (RangeCheckpoint checkpoint = checkpoint(world); ReStore store = store(world)) {
                long id = checkpoint.load(store).orElseThrow().id();
                CONTENT.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
                return id;
            }
        });
        assertEquals(List.of(5L), loaded.stream().distinct().toList());
        assertTrue(Files.exists(directory.resolve("1.blocks")), "repaired where it lies");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6})
    void readsEachByteOnceWhateverTheNumberOfPes(int readers) throws IOException {
        int blockBytes = 4096;
        TestBlocks large = new TestBlocks(blockBytes, 2);
        LocalCluster.run(WRITERS, world -> {
            BlockRanges share = LoadBalancer.equal(world.size(), BLOCKS).assignment()
                    .blocksOf(StoreRank.of(world));
            try (RangeCheckpoint checkpoint = checkpoint(world);
                    ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(blockBytes).replication(1)
                            .build()) {
                store.submit(share.runs().getFirst(), large::write);
                checkpoint.save(1, store, share);
            }
            return true;
        });
        long headers = 2L * WRITERS * readers * (8 << 10);
        long bytes = BLOCKS * blockBytes;
        assertTrue(headers < bytes, "reading something twice would show");
        CountingFileOperations counting = new CountingFileOperations();
        LocalCluster.run(readers, world -> {
            try (RangeCheckpoint checkpoint = checkpoint(world, counting);
                    ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(blockBytes).replication(1)
                            .build()) {
                checkpoint.load(store);
                large.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            }
            return true;
        });
        assertTrue(counting.readBytes() >= bytes && counting.readBytes() <= bytes + headers,
                counting.readBytes() + " bytes were read of " + bytes);
    }
}
