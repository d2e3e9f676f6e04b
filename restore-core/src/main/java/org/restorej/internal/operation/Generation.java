package org.restorej.internal.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.placement.FailedRanks;

/**
 * One complete submission: its number, the places of its replicas, and the replicas that this PE holds.
 *
 * @param number 1 for the first submission
 * @param directory the places of the replicas
 * @param blocks this PE's part, owned by the generation
 * @param sizes sizes of the blocks of this PE's part, owned by the generation; null if all blocks have one size
 */
public record Generation(long number, BlockDirectory directory, ReplicaMemory blocks, @Nullable ReplicaMemory sizes)
        implements
            AutoCloseable {
    /** Number of the generation before the first submission. */
    public static final long NOTHING = 0;

    /** A generation all of whose blocks are lost. Uses no off-heap memory. */
    static Generation ofNothing(StoreState state) {
        BlockDirectory directory = state.layout().directoryOfNothing();
        ReplicaMap lost = directory.replicaMap();
        if (!state.configuration().blocks().variable()) {
            return new Generation(NOTHING, directory, ReplicaMemory.allocate(lost, StoreRanks.NO_RANK,
                    state.configuration().blocks().sizeBytes(), directory.grid(), state.pool()), null);
        }
        ReplicaMemory sizes = ReplicaMemory.allocate(lost, StoreRanks.NO_RANK, VariableLayout.SIZE_BYTES,
                directory.grid(), state.pool());
        return new Generation(NOTHING, directory, ReplicaMemory.allocate(sizes, state.pool()), sizes);
    }

    ReplicaMap replicaMap() {
        return directory.replicaMap();
    }

    /** This generation after these ranks have lost their replicas. */
    Generation without(FailedRanks ranks) {
        return new Generation(number, directory.with(replicaMap().lost(ranks))
                .with(directory.damaged().without(ranks)), blocks, sizes);
    }

    Generation with(DamagedReplicas damaged) {
        return new Generation(number, directory.with(damaged), blocks, sizes);
    }

    public long blockBytes() {
        return blocks.bytes();
    }

    /** Bytes of sizes, layouts and checksums. */
    public long overheadBytes() {
        return blocks.overheadBytes() + (sizes == null ? 0 : sizes.overheadBytes());
    }

    /** The memory that the successor doesn't use. */
    List<PooledMemory> memoriesBut(Generation successor) {
        List<PooledMemory> memories = new ArrayList<>(blocks.memoriesBut(successor.blocks));
        if (sizes != null) {
            memories.addAll(sizes.memoriesBut(Objects.requireNonNull(successor.sizes, "sizes of the successor")));
        }
        return memories;
    }

    @Override
    public void close() {
        blocks.close();
        if (sizes != null) {
            sizes.close();
        }
    }
}
