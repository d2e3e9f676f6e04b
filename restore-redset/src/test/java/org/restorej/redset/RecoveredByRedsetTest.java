package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.SetInspection;

/** Files of ours after redset itself has rebuilt ranks: their headers say the same with other bytes. */
class RecoveredByRedsetTest {
    private static final int RANKS = 4;

    static Stream<Scheme> schemes() {
        return Stream.of(Scheme.xor(), Scheme.partner(1), Scheme.partner(2));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void flippedDataIsFoundWithoutMpi(Scheme scheme) throws IOException {
        try (RankDirectory shared = new RankDirectory()) {
            Map<String, byte[]> whole = protectAndRecoverByRedset(shared, scheme);
            assertEquals(SetInspection.State.WHOLE, rebuilt(shared));
            for (int rank = 0; rank < RANKS; rank++) {
                shared.flip("data." + rank, 77);
                assertEquals(SetInspection.State.REPAIRABLE, rebuilt(shared), "rank " + rank);
                assertTrue(Arrays.equals(whole.get("data." + rank), shared.snapshot().get("data." + rank)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void flippedDataIsRecovered(Scheme scheme) {
        try (RankDirectory shared = new RankDirectory()) {
            Map<String, byte[]> whole = protectAndRecoverByRedset(shared, scheme);
            for (int rank = 0; rank < RANKS; rank++) {
                shared.flip("data." + rank, 77);
                assertEquals(new TreeSet<>(List.of(rank)), recover(shared, scheme));
                assertTrue(Arrays.equals(whole.get("data." + rank), shared.snapshot().get("data." + rank)));
            }
        }
    }

    private static Map<String, byte[]> protectAndRecoverByRedset(RankDirectory shared, Scheme scheme) {
        RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            try (Redset redset = redset(world, shared, scheme)) {
                redset.apply(List.of(shared.write("data." + world.rank(), new byte[300 + world.rank()])));
            }
            return true;
        });
        Map<String, byte[]> written = shared.snapshot();
        Map<Integer, String> redundancy = new TreeMap<>();
        written.keySet().stream().filter(name -> name.contains(".mem_") && name.endsWith(".redset"))
                .forEach(name -> redundancy.put(Character.digit(name.charAt("rank.".length()), 10), name));
        for (int rank = 0; rank < RANKS; rank++) {
            String name = value(redundancy, rank);
            int right = (rank + 1) % RANKS;
            byte[] rebuilt = rebuiltByRedset(value(written, name), right, value(written, value(redundancy, right)));
            assertFalse(Arrays.equals(written.get(name), rebuilt), name);
            shared.write(name, rebuilt);
        }
        return shared.snapshot();
    }

    /** It takes the header of the right neighbour, and leaves that one's record (XOR) or rank (PARTNER) in it. */
    private static byte[] rebuiltByRedset(byte[] file, int rank, byte[] rightFile) {
        try {
            KvTree right = KvTreeBlock.decode(rightFile).tree();
            return FileDamage.withHeader(file, tree -> withRight(tree, rank, right));
        } catch (IOException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }

    private static KvTree withRight(KvTree tree, int rank, KvTree right) {
        boolean xor = tree.keys().contains("CHUNK");
        String key = xor ? "DESC" : "RANK";
        KvTree more = xor ? child(child(right, "DESC"), String.valueOf(rank)) : KvTree.EMPTY;
        KvTree.Builder changed = KvTree.builder();
        for (String each : tree.keys()) {
            KvTree child = child(tree, each);
            changed.put(each, each.equals(key) ? with(child, String.valueOf(rank), more) : child);
        }
        return changed.build();
    }

    private static KvTree with(KvTree tree, String key, KvTree child) {
        KvTree.Builder more = KvTree.builder().put(key, child);
        tree.keys().forEach(each -> more.put(each, child(tree, each)));
        return more.build();
    }

    private static KvTree child(KvTree tree, String key) {
        return Objects.requireNonNull(tree.child(key), key);
    }

    private static <K, V> V value(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key), String.valueOf(key));
    }

    private static Redset redset(Communicator world, RankDirectory shared, Scheme scheme) {
        return Redset.builder(world).scheme(scheme).failureGroup("host" + world.rank()).directory(shared.path())
                .build();
    }

    private static SortedSet<Integer> recover(RankDirectory shared, Scheme scheme) {
        SortedSet<Integer> rebuilt = new TreeSet<>();
        RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            try (Redset redset = redset(world, shared, scheme)) {
                SortedSet<Integer> ranks = redset.verifyAndRecover().rebuiltRanks();
                synchronized (rebuilt) {
                    rebuilt.addAll(ranks);
                }
            }
            return true;
        });
        return rebuilt;
    }

    /** The state before the rebuild. */
    private static SetInspection.State rebuilt(RankDirectory shared) throws IOException {
        return OneDirectory.rebuild(OneDirectory.redset(shared.path(), PathPolicy.within(shared.path()))).getFirst()
                .state();
    }
}
