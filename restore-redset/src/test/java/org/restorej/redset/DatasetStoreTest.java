package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.ArrayList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;

/** A store that several ranks share. */
class DatasetStoreTest {
    private static final int FILES = 200;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void keepsWhatWasJustCompletedWhateverAnEarlierRunHasLeft() throws IOException {
        DatasetStore store = new DatasetStore(folder);
        for (long id : new long[]{1, 2, 3, 7, 8}) {
            Files.createFile(Files.createDirectories(store.directoryOf(id)).resolve("descriptor"));
        }
        List<Path> removed = new ArrayList<>();
        store.keepNewest(2, 3, id -> Files.exists(store.directoryOf(id).resolve("descriptor")), removed::add);
        assertEquals(List.of(store.directoryOf(1)), removed);
        assertEquals(Set.of(2L, 3L, 7L, 8L), Set.copyOf(store.ids()));
    }

    @RepeatedTest(5)
    void isClearedByAllRanksAtOnce() throws IOException {
        DatasetStore store = new DatasetStore(folder);
        Path below = Files.createDirectories(store.directoryOf(7).resolve("below"));
        for (int file = 0; file < FILES; file++) {
            Files.createFile((file % 2 == 0 ? below : store.directoryOf(7)).resolve("file" + file));
        }
        LocalCluster.run(4, world -> {
            world.allReduce(new long[1], Reduction.SUM);
            try {
                store.remove(7);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            return true;
        });
        assertFalse(Files.exists(store.directoryOf(7)));
    }
}
