package org.restorej.internal.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.operation.SubmitOperation.Scope;

/** A PE that has not made a generation its own that the others have. */
class GenerationsThatDifferTest {
    private static final int PES = 3;
    private static final long BLOCKS = 9;

    @Test
    void aPullOfPesWithDifferentGenerationsThrowsOnAllOfThem() {
        List<String> thrown = LocalCluster.run(PES, GenerationsThatDifferTest::pull);
        for (int rank = 0; rank < PES; rank++) {
            assertEquals("pull needs the same generation on all PEs, and this one has generation "
                    + (rank == 1 ? 1 : 2) + " while another PE has a different one: build a new store",
                    thrown.get(rank));
        }
    }

    private static String pull(Communicator world) {
        StoreState state = new StoreState(new Meeting(), world,
                new StoreConfiguration(new StoreConfiguration.Blocks(BLOCKS, 8, false),
                        new StoreConfiguration.Redundancy(1, 0), new StoreConfiguration.Spread(2, 1, 1), 0,
                        DomainLabels.NONE));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(BLOCKS * 8);
            BlockRange own = BlockRange.of(world.rank() * BLOCKS / PES, BLOCKS / PES);
            List<SubmissionEntry> entries = List.of(new SubmissionEntry(own, null,
                    new SubmissionEntry.Source.Bytes(bytes.asSlice(0, BLOCKS / PES * 8))));
            SubmitOperation.of(state, Scope.ALL, true, entries).run();
            SubmitOperation second = SubmitOperation.of(state, Scope.ALL, true, entries);
            second.advance(true);
            if (world.rank() != 1) {
                second.publish(second.result());
            }
            BlockRanges all = BlockRanges.of(0, BLOCKS);
            ReadOperation pull = ReadOperation.into(state, new LostBlockReader(null), all, bytes);
            IllegalStateException thrown = assertThrows(IllegalStateException.class, pull::run);
            assertTrue(state.generationNumber() > 0);
            return String.valueOf(thrown.getMessage());
        } finally {
            state.close();
        }
    }
}
