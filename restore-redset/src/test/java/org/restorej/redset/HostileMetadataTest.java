package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.ReStore;
import org.restorej.TestBlocks;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.placement.StoreRank;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;
import org.restorej.redset.internal.offline.LostMemberPlaces;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.scr.ScrSets;

/**
 * Headers may be other people's input. What they record gives nobody a set-id bit or another's file, whoever rebuilds,
 * also root.
 */
class HostileMetadataTest {
    private static final int RANKS = 4;
    private static final int LOST = 1;
    private static final long USER = 4242;
    private static final long GROUP = 4243;
    private static final long ROOT = 0;
    /** As st_mode; what a rebuilt file has of it; the rest is the type of file. */
    private static final Map<Long, Long> MODES = Map.of(0_104755L, 0_755L, 0_102640L, 0_640L, 0_107777L, 0_777L);

    @TempDir
    private Path folder = Path.of("");

    /** What rebuilds files, and how they come to be there. */
    @SuppressWarnings("ImmutableEnumChecker") // Method references.
    enum Rebuild {
        RANKS_TOGETHER(HostileMetadataTest::protect, test -> test.recover(settings -> {})), ONE_PROCESS(
                HostileMetadataTest::protect,
                test -> test.inOneProcess(FileOperations.system())), ONE_PROCESS_ON_FILES_OF_SCR(
                        HostileMetadataTest::writeAsScr,
                        test -> test.inOneProcess(FileOperations.system())), DATASETS(HostileMetadataTest::complete,
                                HostileMetadataTest::restart), CHECKPOINT_OF_BLOCKS(HostileMetadataTest::save,
                                        HostileMetadataTest::load);

        private final BiConsumer<HostileMetadataTest, Scheme> write;
        private final Consumer<HostileMetadataTest> rebuild;

        Rebuild(BiConsumer<HostileMetadataTest, Scheme> write, Consumer<HostileMetadataTest> rebuild) {
            this.write = write;
            this.rebuild = rebuild;
        }
    }

    private Path node(int rank) {
        return folder.resolve("node" + rank);
    }

    private Redset redset(Communicator world, Consumer<Redset.Builder> settings) {
        Redset.Builder builder = Redset.builder(world).failureGroup("host" + world.rank()).directory(node(world.rank()))
                .allow(folder);
        settings.accept(builder);
        return builder.build();
    }

    private void protect(Scheme scheme) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world, settings -> settings.scheme(scheme).directory(folder))) {
                Files.createDirectories(node(world.rank()));
                redset.apply(List.of(Files.write(node(world.rank()).resolve("data"), new byte[100 + world.rank()])));
                return true;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }

    private void writeAsScr(Scheme scheme) {
        try {
            ScrFiles set = ScrFiles.wholeJob(RANKS, 500);
            for (int rank = 0; rank < RANKS; rank++) {
                set.write(rank, node(rank), node(rank));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void recover(Consumer<Redset.Builder> settings) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world, settings.andThen(builder -> builder.directory(folder)))) {
                assertEquals(Set.of(LOST), redset.recover().rebuiltRanks());
            }
            return true;
        });
    }

    private void inOneProcess(FileOperations operations) {
        LostMemberPlaces places = Files.exists(folder.resolve("rank.0.redset"))
                ? LostMemberPlaces.in(folder)
                : LostMemberPlaces.in(node(0), node(1), node(2), node(3));
        try {
            OneDirectory.rebuild(new OfflineRedset(operations, places, new ScrSets(),
                    PathPolicy.within(folder)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private RedundancyConfiguration configuration(Communicator world, Scheme scheme) {
        return RedundancyConfiguration.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                node(world.rank()), scheme, RANKS));
    }

    private Datasets datasets(Communicator world, Scheme scheme) {
        return new Datasets(world, configuration(world, scheme), "job", "node" + world.rank(), false);
    }

    private void complete(Scheme scheme) {
        LocalCluster.run(RANKS, world -> {
            try (Datasets datasets = datasets(world, scheme)) {
                datasets.complete(1, List.of(Files.write(datasets.begin(1).resolve("data"), new byte[300])));
                return true;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }

    private void restart() {
        LocalCluster.run(RANKS, world -> {
            try (Datasets datasets = datasets(world, Scheme.xor())) {
                assertTrue(datasets.restart().isPresent());
            }
            return true;
        });
    }

    private static final TestBlocks CONTENT = new TestBlocks(30, 3);

    private void withStore(Scheme scheme, BiConsumer<RangeCheckpoint, ReStore> part) {
        LocalCluster.run(RANKS, world -> {
            try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, configuration(world, scheme), "job",
                    "node" + world.rank(), false);
                    ReStore store = ReStore.builder(world).blocks(40).blockSizeBytes(CONTENT.blockSizeBytes())
                            .replication(1).build()) {
                part.accept(checkpoint, store);
            }
            return true;
        });
    }

    private void save(Scheme scheme) {
        LocalCluster.run(RANKS, world -> {
            BlockRanges share = LoadBalancer.equal(RANKS, 40).assignment().blocksOf(StoreRank.of(world));
            try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, configuration(world, scheme), "job",
                    "node" + world.rank(), false);
                    ReStore store = ReStore.builder(world).blocks(40).blockSizeBytes(CONTENT.blockSizeBytes())
                            .replication(1).build()) {
                store.submit(share.runs().getFirst(), CONTENT::write);
                checkpoint.save(1, store, share);
            }
            return true;
        });
    }

    private void load() {
        withStore(Scheme.xor(), (checkpoint, store) -> {
            assertTrue(checkpoint.load(store).isPresent());
            CONTENT.pullAndCheck(store, BlockRanges.of(0, 40));
        });
    }

    /** All files but those that protect, with what {@code stat} says of them. */
    private Map<Path, FileMetadata> dataFiles() throws IOException {
        Map<Path, FileMetadata> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)).toList()) {
                String name = String.valueOf(file.getFileName());
                if (!name.endsWith(".redset") && !name.endsWith(".checksums") && !name.endsWith(".xor")) {
                    found.put(file, FileOperations.system().metadata(file));
                }
            }
        }
        return found;
    }

    /** Lets all headers record this of all files. */
    private void record(long mode, long userId, long groupId) throws IOException {
        changeHeaders(tree -> recorded(tree, mode, userId, groupId));
    }

    private void changeHeaders(UnaryOperator<KvTree> change) throws IOException {
        int changed = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(".xor") || (name.contains(".mem_") && name.endsWith(".redset"))) {
                    Files.write(file, FileDamage.withHeader(Files.readAllBytes(file), change));
                    changed++;
                }
            }
        }
        assertEquals(RANKS, changed, "hostile headers");
    }

    private static KvTree recorded(KvTree tree, long mode, long userId, long groupId) {
        KvTree.Builder changed = KvTree.builder();
        List<String> own = List.of("MODE", "UID", "GID");
        boolean isFile = tree.keys().contains("SIZE");
        for (String key : tree.keys()) {
            if (!isFile || !own.contains(key)) {
                changed.put(key, recorded(Objects.requireNonNull(tree.child(key)), mode, userId, groupId));
            }
        }
        if (isFile) {
            changed.put("MODE", mode).put("UID", userId).put("GID", groupId);
            for (String time : List.of("ATIME", "MTIME", "CTIME")) {
                if (!tree.keys().contains(time + "_SECS")) {
                    changed.put(time + "_SECS", 1).put(time + "_NSECS", 0);
                }
            }
        }
        return changed.build();
    }

    private Path lostOf(Map<Path, FileMetadata> files) throws IOException {
        Path lost = files.keySet().stream().filter(file -> file.startsWith(node(LOST))).findFirst().orElseThrow();
        Files.delete(lost);
        return lost;
    }

    private void removeAll() throws IOException {
        for (Path entry : DirectoryEntries.of(folder)) {
            DirectoryEntries.deleteTree(entry);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noFileGetsASetIdBitOrAnotherOwner(Rebuild how) throws IOException {
        for (Map.Entry<Long, Long> mode : MODES.entrySet()) {
            how.write.accept(this, Scheme.xor());
            Map<Path, FileMetadata> before = dataFiles();
            assertEquals(RANKS, before.size());
            long user = before.values().iterator().next().userId();
            for (long recordedUser : new long[]{USER, user}) {
                record(mode.getKey(), recordedUser, GROUP);
                Path lost = lostOf(before);
                how.rebuild.accept(this);
                Map<Path, FileMetadata> after = dataFiles();
                assertEquals(before.keySet(), after.keySet());
                assertEquals(mode.getValue(), Objects.requireNonNull(after.get(lost)).mode() & 0_7777,
                        () -> lost + " of " + mode);
                after.forEach((file, metadata) -> {
                    assertEquals(0, metadata.mode() & 0_6000, () -> file + " of " + mode);
                    assertEquals(Objects.requireNonNull(before.get(file)).userId(), metadata.userId(),
                            () -> "user of " + file);
                    assertEquals(Objects.requireNonNull(before.get(file)).groupId(), metadata.groupId(),
                            () -> "group of " + file);
                });
            }
            removeAll();
        }
    }

    @ParameterizedTest
    @EnumSource
    void headersAsDeepAsCanBeReadHinderNobody(Rebuild how) throws IOException {
        KvTree deep = KvTree.EMPTY;
        for (int level = 1; level < KvTreeBlock.MAX_LEVELS; level++) {
            deep = KvTree.builder().put("DEEP", deep).build();
        }
        KvTree deepest = deep;
        how.write.accept(this, Scheme.xor());
        Map<Path, FileMetadata> before = dataFiles();
        changeHeaders(tree -> {
            KvTree.Builder changed = KvTree.builder().put("DEEP", deepest);
            tree.keys().forEach(key -> changed.put(key, Objects.requireNonNull(tree.child(key))));
            return changed.build();
        });
        lostOf(before);
        how.rebuild.accept(this);
        assertEquals(before.keySet(), dataFiles().keySet());
    }

    @Test
    void rootGivesFilesToTheirOwnersWhereItAsksForThat() throws IOException {
        List<Consumer<HostileMetadataTest>> ways = List.of(test -> test.recover(Redset.Builder::restoreOwners),
                test -> test.inOneProcess(FileOperations.restoringOwners()));
        for (Consumer<HostileMetadataTest> rebuild : ways) {
            for (Scheme scheme : List.of(Scheme.xor(), Scheme.rs(2), Scheme.partner(1))) {
                protect(scheme);
                Map<Path, FileMetadata> before = dataFiles();
                assumeTrue(before.values().iterator().next().userId() == ROOT, "only root gives files away");
                record(0_106755L, USER, GROUP);
                Path lost = lostOf(before);
                rebuild.accept(this);
                FileMetadata metadata = Objects.requireNonNull(dataFiles().get(lost));
                assertEquals(0_755, metadata.mode() & 0_7777, "mode");
                assertEquals(USER, metadata.userId(), "user");
                assertEquals(GROUP, metadata.groupId(), "group");
                removeAll();
            }
        }
    }

    @Test
    void aLinkThatTakesThePlaceOfAFileGivesNothingAway() throws IOException {
        Path target = Files.write(folder.resolve("target"), new byte[1]);
        FileMetadata before = FileOperations.system().metadata(target);
        assumeTrue(before.userId() == ROOT, "only root gives files away");
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        Timestamp year1970 = new Timestamp(1, 2);
        assertThrows(FileSystemException.class, () -> FileOperations.restoringOwners().restoreMetadata(link,
                new FileMetadata(0_100777, USER, GROUP, year1970, year1970, year1970)));
        assertEquals((int) USER, Files.getAttribute(link, "unix:uid", LinkOption.NOFOLLOW_LINKS));
        assertEquals(before.userId(), FileOperations.system().metadata(target).userId());
        assertEquals(before.groupId(), FileOperations.system().metadata(target).groupId());
        assertEquals(before.mode(), FileOperations.system().metadata(target).mode());
        assertEquals(before.modificationTime(), FileOperations.system().metadata(target).modificationTime());
    }
}
