package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;
import org.restorej.testing.Deep;

/** Headers that could be written but not be read again. */
@Deep
class LargeHeaderTest {
    @Test
    void tooManyNamesOfOneRankAreRefusedOnAll() {
        refuses(new int[]{1, 60_000});
    }

    @Test
    void tooManyNamesOfARankAndItsNeighbourAreRefusedOnAll() {
        refuses(new int[]{30_000, 30_000});
    }

    private static void refuses(int[] files) {
        LocalCluster.run(2, world -> {
            try (RankDirectory directory = new RankDirectory();
                    Redset redset = Redset.builder(world).scheme(Scheme.partner(1)).failureGroup("host" + world.rank())
                            .directory(directory.path()).build()) {
                Path file = directory.write("d".repeat(240) + ("/" + "d".repeat(240)).repeat(3) + "/data", new byte[0]);
                redset.apply(List.of(file));
                Map<String, byte[]> before = directory.snapshot();
                List<Path> paths = Collections.nCopies(files[world.rank()], file);
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                        () -> redset.apply(paths));
                assertSays(refused, "on rank 1", "paths.size=" + files[1], "67108864 bytes");
                directory.require(before, "after a refusal");
                assertEquals(Set.of(), redset.recover().rebuiltRanks());
            }
            return true;
        });
    }
}
