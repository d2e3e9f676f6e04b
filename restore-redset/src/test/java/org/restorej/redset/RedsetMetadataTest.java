package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.restorej.comm.LocalCluster;
import org.restorej.redset.scheme.Scheme;

/** Times of files that a recovery rebuilds. */
class RedsetMetadataTest {
    private static final FileTime ACCESSED = FileTime.from(Instant.parse("2001-02-03T04:05:06.123456789Z"));
    private static final FileTime MODIFIED = FileTime.from(Instant.parse("2002-03-04T05:06:07.987654321Z"));

    @Test
    void restoresTimesOfAccessToTheNanosecond() {
        LocalCluster.run(3, world -> {
            try (RankDirectory directory = new RankDirectory();
                    Redset redset = Redset.builder(world).scheme(Scheme.xor()).failureGroup("host" + world.rank())
                            .directory(directory.path()).build()) {
                Path file = directory.write("data", new byte[1000]);
                times(file).setTimes(MODIFIED, ACCESSED, null);
                redset.apply(List.of(file));
                if (world.rank() == 1) {
                    directory.lose();
                }
                assertEquals(Set.of(1), redset.recover().rebuiltRanks());
                if (world.rank() == 1) {
                    BasicFileAttributes restored = times(file).readAttributes();
                    assertEquals(ACCESSED, restored.lastAccessTime());
                    assertEquals(MODIFIED, restored.lastModifiedTime());
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            return true;
        });
    }

    private static BasicFileAttributeView times(Path file) {
        return Files.getFileAttributeView(file, BasicFileAttributeView.class);
    }
}
