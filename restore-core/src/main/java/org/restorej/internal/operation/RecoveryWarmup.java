package org.restorej.internal.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.comm.local.LocalCluster;
import org.restorej.internal.memory.NativeMemory;

/**
 * Runs a recovery of a few blocks among threads, once in the life of a JVM. Otherwise the first pull after a failure
 * would load and link its classes while the survivors wait: 100 ms and more if ranks outnumber cores, instead of a few.
 *
 * <p>
 * Has no visible effect: uses no communicator of the application, and records nothing.
 */
public final class RecoveryWarmup {
    private static final System.Logger LOG = System.getLogger(RecoveryWarmup.class.getName());
    private static final int PES = 2;
    private static final long BLOCKS_PER_PE = 8;
    private static final long BLOCK_BYTES = 8;
    private static final StoreConfiguration CONFIGURATION = new StoreConfiguration(
            new StoreConfiguration.Blocks(PES * BLOCKS_PER_PE, BLOCK_BYTES, false),
            new StoreConfiguration.Redundancy(1, 0), new StoreConfiguration.Spread(2, 1, 1), 0,
            DomainLabels.NONE);
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private RecoveryWarmup() {}

    /**
     * Runs it at the first call. Local. Never fails: the other PEs are waiting for this one, and without the warm-up
     * only the first recovery takes longer. Uses its own thread, so that an interrupt of the caller doesn't affect it.
     */
    public static void once() {
        if (!DONE.compareAndSet(false, true)) {
            return;
        }
        try {
            CompletableFuture
                    .runAsync(() -> LocalCluster.run(PES, RecoveryWarmup::recover),
                            run -> Thread.ofPlatform().daemon().name("restorej-warmup").start(run))
                    .join();
        } catch (RuntimeException | Error lacking) {
            LOG.log(System.Logger.Level.DEBUG, "the first pull after a failure will load its classes then", lacking);
        }
    }

    private static boolean recover(Communicator world) {
        StoreState state = new StoreState(new Meeting(), world, CONFIGURATION);
        try (Arena arena = NativeMemory.openShared(); Communicator survivors = world.shrink()) {
            MemorySegment blocks = arena.allocate(BLOCKS_PER_PE * BLOCK_BYTES, Long.BYTES);
            BlockRange own = BlockRange.of(world.rank() * BLOCKS_PER_PE, BLOCKS_PER_PE);
            SubmitOperation submit = SubmitOperation.of(state, SubmitOperation.Scope.ALL, true,
                    List.of(new SubmissionEntry(own, null, new SubmissionEntry.Source.Bytes(blocks))));
            // Not run(), which would record it in the report.
            submit.advance(true);
            submit.publish(submit.result());
            StoreRecovery.move(List.of(state), new Meeting(), survivors, _ -> Outcome.of(state));
            BlockRanges others = BlockRanges.of((1 - world.rank()) * BLOCKS_PER_PE, BLOCKS_PER_PE);
            ReadOperation.into(state, new LostBlockReader(null), others, blocks).advance(true);
            return true;
        } finally {
            state.close();
        }
    }
}
