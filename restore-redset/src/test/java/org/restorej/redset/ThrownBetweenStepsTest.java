package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.HookedCommunicator;
import org.restorej.internal.settlement.Meeting;

/** What a rank throws in an operation on files, in a step or between two, keeps no other rank waiting. */
class ThrownBetweenStepsTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int RANKS = 3;
    private static final int THROWS = 1;

    @TempDir
    private Path folder = Path.of("");

    /** Throws an error at one call of {@link #rank} or {@link #size}, which are called in steps and between them. */
    private static final class Throwing extends HookedCommunicator {
        private final int[] callsLeft;

        Throwing(Communicator inner, int[] callsLeft) {
            super(inner, () -> {});
            this.callsLeft = callsLeft;
        }

        private void count() {
            if (--callsLeft[0] == 0) {
                throw new StackOverflowError("thrown on purpose");
            }
        }

        @Override
        public int rank() {
            count();
            return super.rank();
        }

        @Override
        public int size() {
            count();
            return super.size();
        }

        @Override
        public Communicator duplicate() {
            return new Throwing(super.duplicate(), callsLeft);
        }
    }

    private static Path write(Path directory, int rank) throws IOException {
        return Files.writeString(directory.resolve("state." + rank), "state of rank " + rank);
    }

    /** Returns whether the rank has thrown. */
    private static boolean completesOrThrows(Communicator world, Path store, int calls) throws IOException {
        RedundancyConfiguration configuration = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, store, Scheme.xor(), RANKS));
        int[] callsLeft = {0};
        boolean thrown = false;
        try (Datasets datasets = new Datasets(new Throwing(world, callsLeft), configuration, "job",
                "host" + world.rank(), false)) {
            List<Path> files = List.of(write(datasets.begin(1), world.rank()));
            callsLeft[0] = world.rank() == THROWS ? calls : 0;
            try {
                datasets.complete(1, files);
            } catch (StackOverflowError onPurpose) {
                thrown = true;
            } catch (CommunicatorRevokedException another) {
                assertTrue(world.rank() != THROWS);
            }
            callsLeft[0] = 0;
            // As a loop that is called again would.
            assertTrue(new Meeting().at(world).settle("something else", () -> true));
            boolean goesOn = true;
            try {
                datasets.restart();
            } catch (CommunicatorRevokedException left) {
                goesOn = false;
            }
            assertEquals(goesOn ? world.size() : 0, world.allReduce(goesOn ? 1L : 0L, Reduction.SUM));
        }
        return thrown;
    }

    @Test
    void keepsNoOtherRankWaiting() {
        boolean thrown = true;
        int calls = 0;
        while (thrown) {
            int at = ++calls;
            Path store = folder.resolve("store" + at);
            try (LocalCluster cluster = LocalCluster.builder(RANKS).timeout(TIMEOUT).build()) {
                thrown = PeOutcome.values(cluster.run(world -> completesOrThrows(world, store, at))).get(THROWS);
            }
        }
        assertTrue(calls > 10, "calls: " + calls);
    }
}
