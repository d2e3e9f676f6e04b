package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.BrokenCloseChannel;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.JobLock;
import org.restorej.redset.internal.files.ForwardingFileOperations;

/** Damage that shows only while files are read to rebuild those of another rank. */
class RedsetDamageTest {
    private static final int LOST = 3;
    private static final int DAMAGED = 1;

    private static Redset redset(Communicator world, Scheme scheme, RankDirectory directory,
            FileOperations operations) {
        return Redset.builder(world).scheme(scheme).failureGroup("host" + world.rank()).directory(directory.path())
                .pieceBytes(100).operations(operations).build();
    }

    private static List<Path> file(Communicator world, RankDirectory directory) {
        byte[] content = new byte[1000 + world.rank()];
        Arrays.fill(content, (byte) (world.rank() + 1));
        return List.of(directory.write("data", content));
    }

    /** Opens the data file. */
    @FunctionalInterface
    private interface Opening {
        FileChannel open(FileChannel real) throws IOException;
    }

    /** A file system on which opening the data file goes another way. */
    private static FileOperations opening(Opening opening) {
        return new ForwardingFileOperations() {
            @Override
            public FileChannel openForReading(Path path) throws IOException {
                FileChannel real = super.openForReading(path);
                return path.endsWith("data") ? opening.open(real) : real;
            }
        };
    }

    private static Map<String, byte[]> loseAndFlip(Communicator world, RankDirectory directory, boolean flip) {
        Map<String, byte[]> whole = new TreeMap<>(directory.snapshot());
        if (world.rank() == LOST) {
            directory.lose();
        } else if (world.rank() == DAMAGED && flip) {
            directory.flip("data", 8 * 999);
        }
        return whole;
    }

    private static void rebuildsBoth(boolean flip, FileOperations damaged) {
        LocalCluster.run(4, world -> {
            FileOperations operations = world.rank() == DAMAGED ? damaged : FileOperations.system();
            try (RankDirectory directory = new RankDirectory();
                    Redset whole = redset(world, Scheme.rs(2), directory, FileOperations.system());
                    Redset redset = redset(world, Scheme.rs(2), directory, operations)) {
                whole.apply(file(world, directory));
                Map<String, byte[]> before = loseAndFlip(world, directory, flip);
                assertEquals(Set.of(DAMAGED, LOST), redset.recover().rebuiltRanks());
                directory.require(before, "after recovery");
            }
            return true;
        });
    }

    @Test
    void aFlippedBitOfOneThatOthersAreRebuiltFromIsALossToo() {
        rebuildsBoth(true, FileOperations.system());
    }

    /** The rebuild reads some chunks of each file: a damaged one is rebuilt too, or wasn't read. */
    @Test
    void aFlippedBitAnywhereIsInNothingThatIsRebuilt() {
        int ranks = 5;
        SortedSet<Integer> rebuilt = new TreeSet<>();
        LocalCluster.run(ranks, world -> {
            try (RankDirectory directory = new RankDirectory();
                    Redset redset = redset(world, Scheme.rs(2), directory, FileOperations.system())) {
                redset.apply(file(world, directory));
                Map<String, byte[]> before = new TreeMap<>(directory.snapshot());
                for (int place = 0; place < 1000; place += 100) {
                    for (int damaged : new int[]{0, 1, 2, 4}) {
                        if (world.rank() == LOST) {
                            directory.lose();
                        } else if (world.rank() == damaged) {
                            directory.flip("data", 8 * place);
                        }
                        SortedSet<Integer> ranksRebuilt = redset.recover().rebuiltRanks();
                        if (world.rank() == LOST) {
                            directory.require(before, "rebuilt beside a flipped bit");
                            rebuilt.addAll(ranksRebuilt);
                        }
                        boolean found = ranksRebuilt.contains(damaged);
                        assertEquals(found ? Set.of() : Set.of(damaged), redset.verifyAndRecover().rebuiltRanks());
                        directory.require(before, "after all was verified");
                        assertEquals(found ? Set.of(damaged, LOST) : Set.of(LOST), ranksRebuilt);
                    }
                }
            }
            return true;
        });
        assertTrue(rebuilt.size() > 1, "some of the damage was found: " + rebuilt);
    }

    @Test
    void aFileThatCanNotBeReadIsALossToo() {
        rebuildsBoth(false, opening(file -> {
            file.close();
            throw new IOException("Input/output error");
        }));
    }

    @Test
    void aFileThatCanNotBeClosedOnOneRankIsAnErrorOnAll() {
        LocalCluster.run(4, world -> {
            FileOperations operations = world.rank() == DAMAGED
                    ? opening(BrokenCloseChannel::new)
                    : FileOperations.system();
            try (RankDirectory directory = new RankDirectory();
                    Redset redset = redset(world, Scheme.xor(), directory, operations)) {
                List<Path> file = file(world, directory);
                RedsetException failure = assertThrows(RedsetException.class, () -> redset.apply(file));
                assertEquals(Set.of(DAMAGED), failure.failures().keySet());
                assertSays(failure, "Stale file handle");
                assertEquals(Set.of("data", "rank." + JobLock.NAME),
                        directory.snapshot().keySet());
            }
            return true;
        });
    }

    @Test
    void nothingIsReplacedWhenTheFurtherLossIsOneTooMany() {
        LocalCluster.run(4, world -> {
            try (RankDirectory directory = new RankDirectory();
                    Redset redset = redset(world, Scheme.xor(), directory, FileOperations.system())) {
                redset.apply(file(world, directory));
                loseAndFlip(world, directory, true);
                Map<String, byte[]> before = directory.snapshot();
                IrrecoverableFilesException lost = assertThrows(IrrecoverableFilesException.class, redset::recover);
                assertEquals(Set.of(DAMAGED, LOST), lost.lostRanks());
                assertSays(lost, "has another content than was protected", "its redundancy file is absent");
                directory.require(before, "after a loss for good");
            }
            return true;
        });
    }
}
