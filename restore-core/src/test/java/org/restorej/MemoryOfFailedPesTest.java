package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.comm.local.LocalCluster.StuckClusterException;
import org.restorej.internal.memory.NativeMemory;

/** A PE that is a thread loses its memory with its run, as a process does: nobody closes the stores of the failed. */
class MemoryOfFailedPesTest {
    private static final int PES = 3;
    private static final long BLOCKS = 60;
    private static final TestBlocks CONTENT = new TestBlocks(1000, 1);

    private final long before = NativeMemory.openBytes();
    private final AtomicLong most = new AtomicLong();

    private static LocalCluster.Builder cluster() {
        return LocalCluster.builder(PES).timeout(Duration.ofMinutes(1));
    }

    private static <T> List<PeOutcome<T>> run(LocalCluster.Builder settings, PeProgram<T> program) {
        try (LocalCluster cluster = settings.build()) {
            return cluster.run(program);
        }
    }

    private static ReStore store(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(1000).replication(2).permutationRangeBlocks(4)
                .build();
    }

    private static Submission part(Communicator world) {
        long share = BLOCKS / PES;
        return new Submission().add(BlockRange.of(world.rank() * share, share), CONTENT::write);
    }

    /** A store with a generation, which nobody closes. */
    private ReStore leftStore(Communicator world) {
        ReStore store = store(world);
        store.submit(part(world));
        most.accumulateAndGet(NativeMemory.openBytes() - before, Math::max);
        return store;
    }

    /** A share of the blocks of each PE, twice. */
    private void checkAllWasThereAndNothingIs() {
        assertTrue(most.get() >= 2 * BLOCKS * 1000 / PES, "bytes while the run went on: " + most);
        assertEquals(before, NativeMemory.openBytes(), "bytes after the run");
    }

    @Test
    void aPeThatFailsBetweenOperations() {
        List<PeOutcome<Long>> outcomes = run(cluster(), world -> {
            ReStore store = leftStore(world);
            FailureSimulation.of(world).fail(1);
            return store.generation();
        });
        assertInstanceOf(PeOutcome.Failed.class, outcomes.get(1));
        checkAllWasThereAndNothingIs();
    }

    @Test
    void aPeThatFailsWhileAnotherStoreIsBuilt() {
        AtomicBoolean building = new AtomicBoolean();
        FaultInjector faults = (rank, index, operation) -> rank.value() == 1 && building.get()
                && operation == Operation.DUPLICATE ? FaultInjector.Fate.FAILS_AFTER : FaultInjector.Fate.GOES_ON;
        List<PeOutcome<Long>> outcomes = run(cluster().faults(faults), world -> {
            ReStore store = leftStore(world);
            if (world.rank() == 1) {
                building.set(true);
            }
            assertThrows(ProcessFailedException.class, () -> store(world));
            return store.generation();
        });
        assertInstanceOf(PeOutcome.Failed.class, outcomes.get(1));
        checkAllWasThereAndNothingIs();
    }

    @Test
    void aPeThatFailsWhileItSubmitsInTheBackground() {
        List<PeOutcome<Boolean>> outcomes = run(cluster(), world -> {
            ReStore store = leftStore(world);
            var _ = store.submitAsync(part(world));
            if (world.rank() == 1) {
                FailureSimulation.of(world).fail(1);
            }
            return true;
        });
        assertInstanceOf(PeOutcome.Failed.class, outcomes.get(1));
        checkAllWasThereAndNothingIs();
    }

    @Test
    void aPeWhoseProgramThrows() {
        List<PeOutcome<Long>> outcomes = run(cluster(), world -> {
            leftStore(world);
            if (world.rank() == 1) {
                throw new IllegalStateException("meant");
            }
            return 0L;
        });
        assertInstanceOf(PeOutcome.Threw.class, outcomes.get(1));
        checkAllWasThereAndNothingIs();
    }

    /** Until the survivors have shrunk a store keeps what messages may still be under way in. */
    @Test
    void survivorsThatCloseAStoreWithoutRecovering() {
        List<PeOutcome<Long>> outcomes = run(cluster(), world -> {
            try (ReStore store = leftStore(world)) {
                if (world.rank() == 1) {
                    FailureSimulation.of(world).fail(1);
                }
                assertThrows(ProcessFailedException.class, () -> store.submit(part(world)));
            }
            most.set(NativeMemory.openBytes() - before);
            return 0L;
        });
        assertEquals(2, PeOutcome.values(outcomes).size());
        checkAllWasThereAndNothingIs();
    }

    @Test
    void thePesOfARunThatIsGivenUp() {
        LocalCluster.Builder impatient = LocalCluster.builder(PES).singleStepping(1);
        assertThrows(StuckClusterException.class, () -> run(impatient, world -> {
            leftStore(world);
            while (world.rank() != 1 && world.iProbe(7) == null) {
                Thread.onSpinWait();
            }
            return 0L;
        }));
        checkAllWasThereAndNothingIs();
    }
}
