package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.ReStore;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.Description;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.Description;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;

/** Checkpoints of four nodes in sets of two, loaded by PEs that see one disk each. */
class CheckpointLoaderTest {
    private static final int WRITERS = 4;
    private static final int SET = 2;

    @TempDir
    private Path folder = Path.of("");

    static Stream<Scheme> schemes() {
        return Stream.of(Scheme.xor(), Scheme.partner(1), Scheme.rs(1));
    }

    private void save(Scheme scheme) {
        LocalCluster.run(WRITERS, world -> {
            CheckpointJob job = new CheckpointJob(world, folder);
            RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                    job.disk(world.rank()), scheme, SET);
            try (RangeCheckpoint checkpoint = new RangeCheckpoint(world,
                    new RedundancyConfiguration(List.of(descriptor), Map.of(), Map.of(), 1), "job",
                    "node" + world.rank(), false); ReStore store = job.store(checkpoint)) {
                job.submit(store);
                checkpoint.save(1, store, job.share());
                return true;
            }
        });
    }

    /** One attempt on as many PEs as there are disks; afterwards all blocks are there. */
    private List<CheckpointLoader.Attempt> load(FileOperations operations, Integer... disks) {
        return LocalCluster.run(disks.length, world -> {
            CheckpointJob job = new CheckpointJob(world, folder);
            Path disk = job.disk(disks[world.rank()]).resolve("job/checkpoint.1");
            try (RedsetChannel channel = new RedsetChannel(world.duplicate());
                    ReStore store = ReStore.builder(world).blocks(CheckpointJob.BLOCKS)
                            .blockSizeBytes(CheckpointJob.CONTENT.blockSizeBytes()).replication(1)
                            .permutationRangeBlocks(7).build()) {
                CheckpointLoader loader = new CheckpointLoader(channel, operations, store, Description.NONE,
                        List.of(disk), CheckpointFiles.EXTENSION);
                assertFalse(loader.plainly().loaded().isPresent(), "files are missing");
                CheckpointLoader.Attempt attempt = loader.withRebuilt(Set.of());
                if (attempt.loaded().isPresent()) {
                    CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING);
                }
                return attempt;
            }
        });
    }

    /** Each set has one member left, which nobody needs to send anything. */
    @ParameterizedTest
    @MethodSource("schemes")
    void everySetIsRebuiltByAPeThatSeesEnoughOfIt(Scheme scheme) {
        save(scheme);
        CheckpointJob.remove(folder.resolve("node1"));
        CheckpointJob.remove(folder.resolve("node3"));
        load(FileOperations.system(), 2, 0).forEach(attempt -> assertEquals("", attempt.problem()));
    }

    @Test
    void whatOnePeCantRebuildIsRebuiltByAnother() {
        save(Scheme.xor());
        CheckpointJob.remove(folder.resolve("node1"));
        FailingFileOperations full = new FailingFileOperations(0, false);
        load(full, 2, 3, 0).forEach(attempt -> assertEquals("", attempt.problem()));
        assertTrue(full.hasFailed());
    }

    @Test
    void whatIsMissingIsToldOfBothSets() {
        save(Scheme.single());
        CheckpointJob.remove(folder.resolve("node1"));
        CheckpointJob.remove(folder.resolve("node3"));
        BitSet lost = BitSet.valueOf(new long[]{0b1010});
        load(FileOperations.system(), 2, 0).forEach(attempt -> assertEquals(lost, attempt.missing()));
    }
}
