package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.redset.internal.coding.VectorSets;

/** Files that are recovered by other processes than protected them: fewer, more, or on other nodes. */
class OtherProcessesTest {
    private static final int RUNS = 60;

    @TempDir
    private Path folder = Path.of("");

    private Path node(int node) {
        return folder.resolve("node" + node);
    }

    private static Redset redset(Communicator world, Scheme scheme, int nodes, Path node) {
        return Redset.builder(world).scheme(scheme).setSize(nodes).failureGroup(node.toString()).directory(node)
                .base(node).pieceBytes(100).build();
    }

    /** Has ranks protect files, each in the directory of its node. */
    private void protect(Scheme scheme, int[] nodeOfRank, int nodes, long seed) {
        LocalCluster.run(nodeOfRank.length, world -> {
            Path node = Files.createDirectories(node(nodeOfRank[world.rank()]));
            Random random = new Random(seed + world.rank());
            List<Path> files = new ArrayList<>();
            for (int file = random.nextInt(3); file >= 0; file--) {
                byte[] content = new byte[random.nextInt(700)];
                random.nextBytes(content);
                Path name = Path.of("data." + world.rank() + "." + file);
                Files.write(node.resolve(name), content);
                files.add(name);
            }
            try (Redset redset = redset(world, scheme, nodes, node)) {
                redset.apply(files);
            }
            return true;
        });
    }

    /** All files on all nodes by name, without directories. */
    private SortedMap<String, byte[]> files(int nodes) {
        SortedMap<String, byte[]> all = new TreeMap<>();
        for (int node = 0; node < nodes; node++) {
            try {
                all.putAll(VectorSets.snapshot(Files.createDirectories(node(node))));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        return all;
    }

    private List<Redset.Recovery> recover(int[] nodeOfProcess) {
        return LocalCluster.run(nodeOfProcess.length, world -> {
            try (Redset redset = redset(world, Scheme.xor(), 2, node(nodeOfProcess[world.rank()]))) {
                return redset.verifyAndRecover();
            }
        });
    }

    private static void requireSame(Map<String, byte[]> before, Map<String, byte[]> after) {
        assertEquals(before.keySet(), after.keySet());
        before.forEach((name, content) -> assertTrue(Arrays.equals(content, after.get(name)), name));
    }

    private static void requireEachOnce(int ranks, List<Redset.Recovery> recoveries) {
        assertEquals(IntStream.range(0, ranks).boxed().toList(),
                recoveries.stream().flatMap(recovery -> recovery.files().keySet().stream()).sorted().toList());
    }

    @TestFactory
    Stream<DynamicTest> anyProcessesThatSeeEnoughGiveTheSameBytes() {
        return IntStream.range(0, RUNS).mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> {
            CheckpointJob.remove(folder);
            Files.createDirectories(folder);
            recoverElsewhere(new Random(seed), seed);
        }));
    }

    private void recoverElsewhere(Random random, int seed) throws IOException {
        int nodes = 3 + random.nextInt(3);
        int perNode = 1 + random.nextInt(2);
        Scheme scheme = List.of(Scheme.xor(), Scheme.rs(2), Scheme.partner(1), Scheme.partner(2)).get(seed % 4);
        int[] nodeOfRank = IntStream.range(0, nodes * perNode).map(rank -> rank / perNode).toArray();
        protect(scheme, nodeOfRank, nodes, seed);
        SortedMap<String, byte[]> before = files(nodes);
        int lost = random.nextInt(nodes);
        switch (random.nextInt(3)) {
            case 0 -> CheckpointJob.remove(node(lost));
            case 1 -> {
                List<String> names = VectorSets.snapshot(node(lost)).keySet().stream().sorted().toList();
                Files.delete(node(lost).resolve(names.get(random.nextInt(names.size()))));
            }
            default -> {
                try (Stream<Path> files = Files.list(node(lost))) {
                    Path data = files.filter(file -> file.toString().contains(".mem_")).sorted().findFirst()
                            .orElseThrow();
                    FileDamage.flip(data, (int) Files.size(data) - 1);
                }
            }
        }
        // Each node has a process, the others are anywhere.
        int processes = nodes + random.nextInt(2 * nodes);
        List<Integer> places = new ArrayList<>(IntStream.range(0, processes)
                .map(process -> process < nodes ? process : random.nextInt(nodes)).boxed().toList());
        Collections.shuffle(places, random);
        requireEachOnce(nodes * perNode, recover(places.stream().mapToInt(Integer::intValue).toArray()));
        requireSame(before, files(nodes));
    }

    @Test
    void oneProcessActsForAllMembers() throws IOException {
        protect(Scheme.rs(2), new int[]{0, 1, 2, 3, 4}, 5, 1);
        SortedMap<String, byte[]> before = files(5);
        for (int node : new int[]{0, 2, 4}) {
            for (Map.Entry<String, byte[]> file : VectorSets.snapshot(node(node)).entrySet()) {
                Files.write(Files.createDirectories(folder.resolve("all")).resolve(file.getKey()), file.getValue());
            }
        }
        Redset.Recovery recovery = LocalCluster.run(1, world -> {
            try (Redset redset = redset(world, Scheme.xor(), 2, folder.resolve("all"))) {
                return redset.recover();
            }
        }).getFirst();
        assertEquals(Set.of(1, 3), recovery.rebuiltRanks());
        requireEachOnce(5, List.of(recovery));
        requireSame(before, VectorSets.snapshot(folder.resolve("all")));
    }

    @Test
    void fewerProcessesRebuildALostNode() {
        protect(Scheme.xor(), new int[]{0, 1, 2, 3}, 4, 1);
        SortedMap<String, byte[]> before = files(4);
        CheckpointJob.remove(node(1));
        List<Redset.Recovery> recoveries = recover(new int[]{3, 0, 2});
        requireEachOnce(4, recoveries);
        recoveries.forEach(recovery -> assertEquals(Set.of(1), recovery.rebuiltRanks()));
        requireSame(before, files(4));
    }

    @Test
    void whatFewerProcessesDontSeeEnoughOfIsLost() {
        protect(Scheme.xor(), new int[]{0, 1, 2, 3}, 4, 1);
        IrrecoverableFilesException lost = assertThrows(IrrecoverableFilesException.class,
                () -> unwrapped(() -> recover(new int[]{3, 0})));
        assertEquals(Set.of(1, 2), lost.lostRanks());
    }

    private static Datasets datasets(Communicator world, Path store) {
        return new Datasets(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, store, Scheme.xor(), 4)), "job", "host of " + store, false);
    }

    @Test
    void aJobWhoseProcessesSeeTooLittleDoesNotBeginAnew() {
        LocalCluster.run(4, world -> {
            try (Datasets datasets = datasets(world, node(world.rank()))) {
                Path file = Files.writeString(datasets.begin(1).resolve("state." + world.rank()), "state");
                datasets.complete(1, List.of(file));
            }
            return true;
        });
        assertSays(assertThrows(RedsetException.class, () -> unwrapped(() -> LocalCluster.run(2, world -> {
            try (Datasets datasets = datasets(world, node(3 * world.rank()))) {
                return datasets.restart();
            }
        }))), "checkpoint 1");
    }

    @Test
    void twoLostRanksWithFilesOfTheSameNameAreNotMixedUp() throws IOException {
        LocalCluster.run(4, world -> {
            Path node = Files.createDirectories(node(world.rank()));
            Files.writeString(node.resolve("state"), "state of " + world.rank());
            try (Redset redset = redset(world, Scheme.rs(2), 4, node)) {
                redset.apply(List.of(Path.of("state")));
            }
            return true;
        });
        CheckpointJob.remove(node(1));
        CheckpointJob.remove(node(2));
        Map<String, byte[]> before = VectorSets.snapshot(folder);
        assertSays(assertThrows(RedsetException.class, () -> unwrapped(() -> recover(new int[]{0, 3}))),
                "would be a file of two lost ranks");
        requireSame(before, VectorSets.snapshot(folder));
    }

    @Test
    void aFileOfAnotherRankIsNeverReplaced() throws IOException {
        LocalCluster.run(3, world -> {
            Path node = Files.createDirectories(node(world.rank()));
            Files.writeString(node.resolve("state"), "state of " + world.rank());
            try (Redset redset = redset(world, Scheme.xor(), 3, node)) {
                redset.apply(List.of(Path.of("state")));
            }
            return true;
        });
        CheckpointJob.remove(node(1));
        Map<String, byte[]> before = VectorSets.snapshot(folder);
        assertSays(assertThrows(RedsetException.class, () -> unwrapped(() -> recover(new int[]{0, 2}))),
                "state is there", "no checksum says which is right");
        requireSame(before, VectorSets.snapshot(folder));
    }

    /** Throws what the program of a cluster has thrown. */
    private static void unwrapped(Runnable run) {
        try {
            run.run();
        } catch (PeFailedException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }
}
