package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStore;
import org.restorej.TestBlocks;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.placement.StoreRank;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.SetInspection;

/** A checkpoint that was copied elsewhere, and whose original is still there, is made of its own files only. */
class CopiedCheckpointTest {
    private static final int WRITERS = 4;
    private static final long BLOCKS = 200;
    private static final TestBlocks CONTENT = new TestBlocks(30, 3);

    @TempDir
    private Path folder = Path.of("");

    private Path original() {
        return folder.resolve("original");
    }

    private Path copy() {
        return folder.resolve("copy");
    }

    private static RedundancyConfiguration configuration(Path store) {
        return RedundancyConfiguration.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, store,
                Scheme.xor(), WRITERS));
    }

    private static RangeCheckpoint checkpoint(Communicator world, Path store, FileOperations operations) {
        return new RangeCheckpoint(world, configuration(store), "job", "node" + world.rank(), true, operations);
    }

    private static ReStore store(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes()).replication(1).build();
    }

    @BeforeEach
    void copyAnOriginal() throws IOException {
        LocalCluster.run(WRITERS, world -> {
            BlockRanges share = LoadBalancer.equal(world.size(), BLOCKS).assignment().blocksOf(StoreRank.of(world));
            try (RangeCheckpoint checkpoint = checkpoint(world, original(), FileOperations.system());
                    ReStore store = store(world)) {
                store.submit(share.runs().getFirst(), CONTENT::write);
                checkpoint.save(5, store, share);
            }
            return true;
        });
        try (Stream<Path> files = Files.walk(original())) {
            for (Path file : files.toList()) {
                Files.copy(file, copy().resolve(original().relativize(file).toString()));
            }
        }
        Files.delete(copy().resolve("job/checkpoint.5/1.blocks"));
    }

    /** Notes what is read of the original. */
    private final class Watching extends ForwardingFileOperations {
        private final Set<Path> ofOriginal = ConcurrentHashMap.newKeySet();

        @Override
        public FileChannel openForReading(Path path) throws IOException {
            if (path.toAbsolutePath().startsWith(original())) {
                ofOriginal.add(path);
            }
            return super.openForReading(path);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, WRITERS, 5})
    void itsLostFileIsRebuiltAndTheOriginalIsNotRead(int readers) {
        Watching watching = new Watching();
        LocalCluster.run(readers, world -> {
            try (RangeCheckpoint checkpoint = checkpoint(world, copy(), watching); ReStore store = store(world)) {
                assertEquals(5, checkpoint.load(store).orElseThrow().id());
                CONTENT.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            }
            return true;
        });
        assertEquals(Set.of(), watching.ofOriginal);
        assertTrue(Files.exists(copy().resolve("job/checkpoint.5/1.blocks")));
    }

    @Test
    void aRestartRebuildsItInTheCopy() {
        List<Path> files = LocalCluster.run(WRITERS, world -> {
            try (Datasets datasets = new Datasets(world, configuration(copy()), "job", "node" + world.rank(), false)) {
                return datasets.restart().orElseThrow().files().getFirst();
            }
        });
        assertEquals(copy().resolve("job/checkpoint.5/1.blocks"), files.get(1));
        assertTrue(Files.exists(files.get(1)));
    }

    @Test
    void oneProcessRebuildsItInTheCopy() throws IOException {
        Path directory = copy().resolve("job/checkpoint.5");
        OfflineRedset redset = OneDirectory.redset(directory, PathPolicy.within(directory, directory, original()));
        List<SetInspection> damaged = OneDirectory.rebuild(redset);
        assertTrue(damaged.getFirst().damages().toString().contains(directory + "/1.blocks is absent"),
                damaged::toString);
        assertTrue(Files.exists(directory.resolve("1.blocks")));
        assertEquals(SetInspection.State.WHOLE, redset.verify().sets().getFirst().state());
    }
}
