package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.Communicator;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.ForwardingFileOperations;

/** The files that protect are never protected as if they were the application's, and these don't change meanwhile. */
class OwnFilesTest {
    private static final int RANKS = 3;

    @TempDir
    private Path folder = Path.of("");

    private Path node(int rank) {
        return folder.resolve("node" + rank);
    }

    private Redset redset(Communicator world) {
        return Redset.builder(world).failureGroup("host" + world.rank()).directory(node(world.rank())).base(folder)
                .build();
    }

    private Path write(int rank, String name) throws IOException {
        Files.createDirectories(node(rank));
        return Files.writeString(node(rank).resolve(name), "data of " + rank);
    }

    @Test
    void aListingOfTheDirectoryIsRefusedTheSecondTime() {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world)) {
                write(world.rank(), "state");
                // Twice, so that the spare file is there, too.
                redset.apply(DirectoryEntries.of(node(world.rank())));
                redset.apply(List.of(node(world.rank()).resolve("state")));
                redset.apply(List.of(node(world.rank()).resolve("state")));
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                        () -> redset.apply(DirectoryEntries.of(node(world.rank()))));
                assertSays(refused, "on rank 0", "on rank 1", "on rank 2", "must be a file of the application",
                        node(0) + "/rank.0.");
                assertEquals(Set.of(), redset.recover().rebuiltRanks());
                world.barrier();
                if (world.rank() == 1) {
                    DirectoryEntries.deleteTree(node(1));
                }
                assertEquals(Set.of(1), redset.recover().rebuiltRanks());
                return true;
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank.1.redset", "rank.0.xor.grp_1_of_1.mem_1_of_3.redset",
            "rank.0.rs.grp_1_of_1.mem_1_of_8.redset.checksums", "rank.0.restorej-spare", "rank.12.restorej-old.0",
            "rank.0.restorej-new.1", "rank.0.restorej-decided", ".4a1ff2d6-8fbe-4d26-8c63-6e3a54bb0b5d.restorej-part"})
    void aFileThatProtectsIsRefusedOnAllRanks(String name) {
        assertRefused(name, name);
    }

    @Test
    void anotherNameOfSuchAFileIsRefused() throws IOException {
        write(1, "rank.1.restorej-spare");
        Files.createSymbolicLink(node(1).resolve("state"), node(1).resolve("rank.1.restorej-spare"));
        assertRefused("state", "node1/state");
    }

    private void assertRefused(String name, String said) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world)) {
                Path good = write(world.rank(), "good");
                Path file = world.rank() == 1 && Files.notExists(node(1).resolve(name))
                        ? write(1, name)
                        : node(1).resolve(name);
                List<Path> files = world.rank() == 1 ? List.of(good, file) : List.of(good);
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                        () -> redset.apply(files));
                assertSays(refused, "on rank 1", "paths[1] must be a file of the application", said);
                return true;
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank.x.redset.dat", "rank.0.data", "other.0.redset", "rank.0.restored"})
    void aFileWithASimilarNameIsProtected(String name) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = redset(world)) {
                redset.apply(List.of(write(world.rank(), name)));
                world.barrier();
                if (world.rank() == 1) {
                    Files.delete(node(1).resolve(name));
                }
                assertEquals(Set.of(1), redset.recover().rebuiltRanks());
                assertEquals("data of " + world.rank(), Files.readString(node(world.rank()).resolve(name)));
                return true;
            }
        });
    }

    /** The replacing file has as many bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatGrowsOrIsReplacedWhileItIsProtectedIsAnErrorOnAllRanks(boolean replaced) {
        LocalCluster.run(RANKS, world -> {
            Path file = write(world.rank(), "state");
            try (Redset redset = Redset.builder(world).failureGroup("host" + world.rank())
                    .directory(node(world.rank())).base(folder).operations(new ChangingFile(file, replaced)).build()) {
                RedsetException refused = assertThrows(RedsetException.class, () -> redset.apply(List.of(file)));
                assertSays(refused, file.toString().replaceAll("node\\d", "node0"), "must not change while it is "
                        + "protected", replaced ? "was replaced by another file" : "had 9 bytes and has 13");
                assertEquals(List.of(), redset.redundancyFiles());
                return true;
            }
        });
    }

    /** Lets a file grow, or replaces it, after it was read, before it is brought to the disk. */
    private static final class ChangingFile extends ForwardingFileOperations {
        private final Path file;
        private final boolean replaces;
        private @Nullable FileChannel opened;

        ChangingFile(Path file, boolean replaces) {
            this.file = file;
            this.replaces = replaces;
        }

        @Override
        public FileChannel openForReading(Path path) throws IOException {
            opened = super.openForReading(path);
            return opened;
        }

        @Override
        public void force(FileChannel channel) throws IOException {
            if (channel.equals(opened) && replaces) {
                Files.move(Files.writeString(file.resolveSibling("next"), "data of 9"), file,
                        StandardCopyOption.REPLACE_EXISTING);
            } else if (channel.equals(opened)) {
                Files.writeString(file, "longer now...");
            }
            super.force(channel);
        }
    }
}
