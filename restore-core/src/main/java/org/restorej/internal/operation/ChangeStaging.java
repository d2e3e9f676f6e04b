package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ChangedBlocks;
import org.restorej.internal.storage.Overwrites;

/** Memory for the changed blocks of a new generation. The commit copies them over the old ones. */
final class ChangeStaging implements Staging {
    private final StoreState state;
    private final Generation current;
    private final ChangedBlocks changes;
    private final LongSet damagedChunks = new LongOpenHashSet();
    private DamagedReplicas damaged = DamagedReplicas.NONE;

    ChangeStaging(StoreState state, Generation current) {
        this.state = state;
        this.current = current;
        changes = new ChangedBlocks(state.configuration().blocks().sizeBytes(), state.pool());
    }

    @Override
    public BlockMemory sizes() {
        throw new IllegalStateException("changed blocks have the size that all blocks have");
    }

    @Override
    public BlockMemory blocks() {
        return changes;
    }

    @Override
    public void sizesComplete(LongSet unsealedChunks) {}

    /** {@inheritDoc} Checks the chunks first: a new checksum of a damaged chunk would hide its damage. */
    @Override
    public void blocksComplete(LongSet unsealedChunks) {
        changes.touchedChunks(state.layout().grid()).forEach((long chunk) -> {
            if (!current.blocks().isSound(chunk)) {
                damagedChunks.add(chunk);
            }
        });
    }

    @Override
    public LongSet damagedChunks() {
        return damagedChunks;
    }

    @Override
    public void markDamaged(DamagedReplicas replicas) {
        damaged = replicas;
    }

    @Override
    public long bytes() {
        return changes.bytes();
    }

    /** {@inheritDoc} The present generation still has its memory, but more of it may be known to be damaged. */
    @Override
    public Succession prepare(@Nullable Generation present, long number) {
        Generation now = Objects.requireNonNull(present, "present");
        BlockDirectory directory = now.directory().with(now.directory().damaged().and(damaged));
        Overwrites overwrites = new Overwrites();
        changes.writeTo(now.blocks(), overwrites);
        changes.touchedChunks(state.layout().grid()).forEach((long chunk) -> overwrites.seal(now.blocks(), chunk));
        return new Succession(now, new Generation(number, directory, now.blocks(), null), overwrites,
                List.of(changes.memory()));
    }

    @Override
    public void discard() {
        changes.close();
    }
}
