package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;

/** Modes and times of files that a recovery rebuilds, and of those that it only reads. */
class RedsetMetadataTest {
    private static final FileTime ACCESSED = FileTime.from(Instant.parse("2001-02-03T04:05:06.123456789Z"));
    private static final FileTime MODIFIED = FileTime.from(Instant.parse("2002-03-04T05:06:07.987654321Z"));
    private static final FileTime LATER = FileTime.from(Instant.parse("2003-04-05T06:07:08.192837465Z"));
    private static final String MODE = "rw-r-----";
    private static final String OTHER_MODE = "rw-rw-rw-";
    /** Two sets of two. */
    private static final int RANKS = 4;
    private static final int LOST = 1;

    private final RankDirectory directory = new RankDirectory();

    @AfterEach
    void removeDirectory() {
        directory.close();
    }

    /** Who rebuilds. */
    enum Repair {
        /** All ranks together. */
        RECOVER {
            @Override
            void run(RedsetMetadataTest test, Scheme scheme) {
                test.onAllRanks(scheme, (redset, file) -> redset.recover());
            }
        },
        /** One process. */
        OFFLINE {
            @Override
            void run(RedsetMetadataTest test, Scheme scheme) {
                try {
                    OfflineRedset redset = OneDirectory.redset(test.directory.path(),
                            PathPolicy.within(test.directory.path()));
                    for (SetInspection set : redset.verify().sets()) {
                        if (set.state() == SetInspection.State.REPAIRABLE) {
                            set.rebuild(total -> bytes -> {});
                        }
                    }
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }
        };

        abstract void run(RedsetMetadataTest test, Scheme scheme);
    }

    private void onAllRanks(Scheme scheme, BiConsumer<Redset, Path> part) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = Redset.builder(world).scheme(scheme).setSize(2).failureGroup("host" + world.rank())
                    .directory(directory.path()).build()) {
                part.accept(redset, fileOf(world.rank()));
            }
            return true;
        });
    }

    private Path fileOf(int rank) {
        return directory.path().resolve("data." + rank);
    }

    private void protect(Scheme scheme) {
        for (int rank = 0; rank < RANKS; rank++) {
            directory.write("data." + rank, new byte[1000]);
            set(fileOf(rank), new Metadata(ACCESSED, MODIFIED, MODE));
        }
        onAllRanks(scheme, (redset, file) -> redset.apply(List.of(file)));
    }

    /** What {@code stat} tells and a program can set. */
    private record Metadata(FileTime accessed, FileTime modified, String mode) {}

    private static void set(Path file, Metadata metadata) {
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(metadata.mode()));
            Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(metadata.modified(),
                    metadata.accessed(), null);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Metadata of(Path file) {
        try {
            BasicFileAttributes times = Files.readAttributes(file, BasicFileAttributes.class);
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            return new Metadata(times.lastAccessTime(), times.lastModifiedTime(), PosixFilePermissions.toString(mode));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Map<Integer, Metadata> ofAll() {
        return IntStream.range(0, RANKS).boxed().collect(Collectors.toMap(rank -> rank, rank -> of(fileOf(rank))));
    }

    @ParameterizedTest
    @EnumSource
    void rebuiltFilesAreAsRecordedAndOthersAsTheyWere(Repair repair) {
        Metadata recorded = new Metadata(ACCESSED, MODIFIED, MODE);
        Metadata changed = new Metadata(LATER, LATER, OTHER_MODE);
        for (Scheme scheme : List.of(Scheme.xor(), Scheme.rs(1), Scheme.partner(1))) {
            protect(scheme);
            for (int rank = 0; rank < RANKS; rank++) {
                set(fileOf(rank), changed);
            }
            directory.delete("data." + LOST);
            repair.run(this, scheme);
            assertEquals(Map.of(0, changed, LOST, recorded, 2, changed, 3, changed), ofAll(), scheme + ", " + repair);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCheckThatFindsNothingLeavesNoTrace(Repair check) throws IOException {
        protect(Scheme.xor());
        // A time of access that the next reading changes, however the file system is mounted.
        Metadata old = new Metadata(ACCESSED, LATER, OTHER_MODE);
        for (int rank = 0; rank < RANKS; rank++) {
            set(fileOf(rank), old);
        }
        check.run(this, Scheme.xor());
        assertEquals(Map.of(0, old, 1, old, 2, old, 3, old), ofAll());
        Files.readAllBytes(fileOf(0));
        assumeTrue(!old.equals(of(fileOf(0))), "reading must change times of access for this to say anything");
    }
}
