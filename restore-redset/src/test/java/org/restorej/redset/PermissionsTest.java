package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.files.PendingFile;

/** Nobody may read what files are made of who may not read the files: neither redundancy nor a file being rebuilt. */
class PermissionsTest {
    private static final int RANKS = 4;
    private static final int LOST = 1;

    @TempDir
    private Path folder = Path.of("");

    private Path data(int rank) {
        return folder.resolve("data" + rank);
    }

    private void run(Scheme scheme, FileOperations operations, boolean recovers, String permissions) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = Redset.builder(world).scheme(scheme).failureGroup("host" + world.rank())
                    .directory(folder).operations(operations).build()) {
                if (recovers) {
                    assertEquals(Set.of(LOST), redset.recover().rebuiltRanks());
                } else {
                    Files.write(data(world.rank()), new byte[1000 + world.rank()]);
                    // Only one member of the set is private.
                    Files.setPosixFilePermissions(data(world.rank()), PosixFilePermissions.fromString(
                            world.rank() == LOST ? permissions : "rw-r--r--"));
                    redset.apply(List.of(data(world.rank())));
                }
            }
            return true;
        });
    }

    private Set<String> permissions(String part) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().contains(part)).toList()) {
                found.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
        return found;
    }

    /** What a new file gets of permissions. */
    private static String lessUmask(String permissions) throws IOException {
        Path fresh = Files.createTempDirectory("permissions").resolve("fresh");
        Set<PosixFilePermission> left = PosixFilePermissions.fromString(permissions);
        left.retainAll(Files.getPosixFilePermissions(Files.createFile(fresh)));
        Files.delete(fresh);
        Files.delete(fresh.getParent());
        return PosixFilePermissions.toString(left);
    }

    private static Scheme scheme(String name) {
        return switch (name) {
            case "PARTNER" -> Scheme.partner(1);
            case "RS" -> Scheme.rs(2);
            default -> Scheme.xor();
        };
    }

    @ParameterizedTest
    @CsvSource({"PARTNER, rw-------, rw-------", "XOR, rw-r-----, rw-r-----", "RS, r--------, rw-------",
            "PARTNER, rwxr-xr-x, rw-r--r--", "XOR, rw-rw-rw-, rw-r--r--"})
    void redundancyIsNoMoreReadableThanWhatItIsMadeOf(String scheme, String ofData, String most) throws IOException {
        String ofRedundancy = lessUmask(most);
        for (int i = 0; i < 3; i++) {
            // The third is written over the first.
            run(scheme(scheme), FileOperations.system(), false, ofData);
            assertEquals(Set.of(ofRedundancy), permissions(".mem_"));
        }
        Files.delete(data(LOST));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().contains("rank." + LOST + ".")).toList()) {
                Files.delete(file);
            }
        }
        Watching watching = new Watching();
        run(scheme(scheme), watching, true, ofData);
        assertTrue(watching.writes.get() > 0);
        assertEquals(Set.of(ofRedundancy), permissions(".mem_"));
        assertEquals(Set.of(ofData), permissions("data" + LOST));
    }

    @Test
    void redundancyIsAsPrivateAsTheDataIsNow() throws IOException {
        run(Scheme.partner(1), FileOperations.system(), false, "rw-r--r--");
        run(Scheme.partner(1), FileOperations.system(), false, "rw-r--r--");
        run(Scheme.partner(1), FileOperations.system(), false, "rw-------");
        assertEquals(Set.of("rw-------"), permissions(".mem_"));
    }

    /** Looks at files that are being rebuilt whenever something is written to one. */
    private final class Watching extends ForwardingFileOperations {
        private final AtomicInteger writes = new AtomicInteger();

        @Override
        public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
            super.write(channel, bytes, position);
            writes.incrementAndGet();
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(path -> path.toString().endsWith(PendingFile.EXTENSION)).toList()) {
                    String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                    if (file.toString().endsWith(".0" + PendingFile.EXTENSION)) {
                        assertEquals("rw-------", permissions, "of the data file while it is written");
                    }
                }
            } catch (UncheckedIOException | NoSuchFileException moved) {
                // It is in its place by now.
                return;
            }
        }
    }
}
