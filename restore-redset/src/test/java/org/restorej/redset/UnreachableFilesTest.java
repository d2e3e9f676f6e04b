package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.files.UnreadableFileOperations;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.SetInspection;

/** A file that only can't be reached is not lost: nobody rebuilds it, and who looks for it says why. */
class UnreachableFilesTest {
    private static final int RANKS = 3;
    private static final int VICTIM = 1;

    @TempDir
    private Path folder = Path.of("");

    private Path data(int rank) {
        return folder.resolve("data" + rank + "/file");
    }

    private Redset redset(Communicator world, FileOperations operations) {
        return Redset.builder(world).failureGroup("host" + world.rank()).directory(folder.resolve("red")).base(folder)
                .operations(operations).build();
    }

    @BeforeEach
    void protect() {
        LocalCluster.run(RANKS, world -> {
            Path file = data(world.rank());
            Files.createDirectory(folder.resolve("data" + world.rank()));
            Files.write(file, new byte[100 + world.rank()]);
            try (Redset redset = redset(world, FileOperations.system())) {
                redset.apply(List.of(folder.relativize(file)));
            }
            return true;
        });
    }

    /** As a file whose permissions exclude this user. */
    private static final class Denied extends ForwardingFileOperations {
        private final String end;

        Denied(String end) {
            this.end = end;
        }

        @Override
        public FileChannel openForReading(Path path) throws IOException {
            if (path.toString().endsWith(end)) {
                throw new AccessDeniedException(path.toString());
            }
            return super.openForReading(path);
        }
    }

    private void assertRecoveryFails(FileOperations ofVictim, String... said) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world, world.rank() == VICTIM ? ofVictim : FileOperations.system())) {
                RedsetException refused = assertThrows(RedsetException.class, redset::recover);
                assertEquals(Set.of(VICTIM), refused.failures().keySet());
                assertSays(refused, said);
            }
            return true;
        });
    }

    private void assertWholeAgain() {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world, FileOperations.system())) {
                assertEquals(Set.of(), redset.recover().rebuiltRanks());
            }
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/data1/file", "rank.1.redset", "rank.1.xor.grp_1_of_1.mem_2_of_3.redset"})
    void aPermissionThatIsMissingFailsOnAllRanks(String end) throws IOException {
        // So that contents are read to rebuild others.
        Path lost = data(2);
        byte[] content = Files.readAllBytes(lost);
        Files.delete(lost);
        assertRecoveryFails(new Denied(end), end + " can't be reached: permission denied");
        Files.write(lost, content);
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world, FileOperations.system())) {
                redset.recover();
            }
            return true;
        });
        assertWholeAgain();
    }

    private SetInspection verified(Path base) throws IOException {
        return OneDirectory.redset(folder.resolve("red"), PathPolicy.within(base)).verify().sets().getFirst();
    }

    @Test
    void oneProcessNamesTheFileThatItLookedForAndTheOptionForAnotherPlace() throws IOException {
        Path elsewhere = folder.resolve("red");
        SetInspection set = verified(elsewhere);
        assertTrue(set.damages().toString().contains(elsewhere.resolve("data0/file") + " is absent"),
                set.damages()::toString);
        assertTrue(set.notes().toString().matches(".*looked for in " + elsewhere + ".*--base DIR.*"),
                set.notes()::toString);
        assertEquals(List.of(), verified(folder).damages());
    }

    @Test
    void oneProcessComparesTheContentsOfTheOthersAlthoughThoseOfOneCanNotBeRead() throws IOException {
        OfflineRedset redset = OneDirectory.redset(new Denied("/data1/file"), folder.resolve("red"),
                PathPolicy.within(folder));
        for (int rank : new int[]{0, 2}) {
            byte[] content = Files.readAllBytes(data(rank));
            content[7]++;
            Files.write(data(rank), content);
            SetInspection set = redset.verify().sets().getFirst();
            assertEquals(rank == 0 ? SetInspection.State.UNREACHABLE : SetInspection.State.LOST, set.state());
            assertTrue(set.damages().toString().matches(
                    ".*data" + rank + "/file has another content.*data1/file can't be reached.*|"
                            + ".*data1/file can't be reached.*data" + rank + "/file has another content.*"),
                    set.damages()::toString);
        }
    }

    @Test
    void aRedundancyFileThatCanNotBeReadAtTheMomentIsNamedAndNotReplaced() throws IOException {
        UnreadableFileOperations failing = new UnreadableFileOperations(path -> path.toString().contains("mem_2_of_3"));
        OfflineRedset redset = OneDirectory.redset(failing, folder.resolve("red"), PathPolicy.within(folder));
        SetInspection set = redset.inspect().sets().getFirst();
        assertEquals(SetInspection.State.UNREACHABLE, set.state());
        assertTrue(set.damages().toString().matches(".*mem_2_of_3.redset: .*it may be intact: move it away.*"),
                set.damages()::toString);
        assertThrows(IllegalArgumentException.class, () -> set.rebuild(total -> bytes -> {}));
    }

    @Test
    void aFolderThatCanNotBeWrittenToIsNamedAndNothingIsReplaced() throws IOException {
        Files.delete(data(VICTIM));
        FileOperations readOnly = new ForwardingFileOperations() {
            @Override
            public FileChannel createNew(Path path, int permissions) throws IOException {
                throw new AccessDeniedException(path.toString());
            }
        };
        SetInspection set = OneDirectory.redset(readOnly, folder.resolve("red"), PathPolicy.within(folder)).verify()
                .sets().getFirst();
        assertSays(assertThrows(IOException.class, () -> set.rebuild(total -> bytes -> {})),
                folder.resolve("data1") + " can't be written to: permission denied");
    }

    @Test
    void aDirectoryInThePlaceOfAFileIsNamedAndStays() throws IOException {
        Path file = data(VICTIM);
        Files.delete(file);
        Files.createDirectory(file);
        Files.writeString(file.resolve("precious"), "precious");
        assertRecoveryFails(FileOperations.system(), file + " is a directory in the place of a file", "move it away");
        SetInspection set = verified(folder);
        assertTrue(set.damages().toString().contains(file + " is no file, but a directory"), set.damages()::toString);
        assertSays(assertThrows(IOException.class, () -> set.rebuild(total -> bytes -> {})),
                file + " is a directory in the place of a file");
        assertEquals("precious", Files.readString(file.resolve("precious")));
        try (Stream<Path> files = Files.list(folder.resolve("data1"))) {
            assertTrue(files.allMatch(file::equals));
        }
    }
}
