package org.restorej.objects;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.internal.access.CopiedData;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;
import org.restorej.objects.ReplicatedStreams.PartReader;
import org.restorej.objects.ReplicatedStreams.PartWriter;

/**
 * The parts of a {@link ReplicatedStreams} that this PE works on: their numbers, and the application's code that writes
 * and reads them for a {@link CheckpointLoop}. The application holds their data in any form. Not thread-safe.
 */
final class LocalStreams extends LoopData implements CopiedData {
    private final LongConsumer initial;
    private final PartWriter writer;
    private final PartReader reader;
    /** Memory of the parts that are being submitted. */
    private @Nullable Arena written;

    LocalStreams(ReStore store, LongConsumer initial, PartWriter writer, PartReader reader) {
        super(store);
        this.initial = initial;
        this.writer = writer;
        this.reader = reader;
    }

    @Override
    protected long blocksPerPart() {
        return PartOutput.BLOCKS;
    }

    @Override
    protected String kind() {
        return "streams";
    }

    @Override
    protected void initialize(BlockRanges mine) {
        for (long place = 0; place < mine.blockCount(); place++) {
            initial.accept(mine.blockAt(place));
        }
    }

    @Override
    protected Submission submission() {
        submitted();
        Arena arena = NativeMemory.openShared();
        written = arena;
        Submission submission = new Submission();
        for (long place = 0; place < ids().blockCount(); place++) {
            long part = ids().blockAt(place);
            PartOutput out = new PartOutput(arena);
            try {
                writer.write(part, out);
            } catch (IOException unwritten) {
                throw new UncheckedIOException("part " + part + " can't be written", unwritten);
            }
            out.addTo(submission, part);
        }
        return submission;
    }

    @Override
    public void submitted() {
        Arena arena = written;
        written = null;
        if (arena != null) {
            StoreAccess.release(store(), arena);
        }
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges mine) {
        long offset = 0;
        for (long place = 0; place < blocks.count(); place += PartOutput.BLOCKS) {
            long bytes = 0;
            for (long block = place; block < place + PartOutput.BLOCKS; block++) {
                bytes += blocks.blockAt(block).byteSize();
            }
            read(blocks.ids().blockAt(place) / PartOutput.BLOCKS, blocks.bytes().asSlice(offset, bytes));
            offset += bytes;
        }
    }

    private void read(long part, MemorySegment bytes) {
        try {
            reader.read(part, new PartInput(bytes.asReadOnly()));
        } catch (IOException | ClassNotFoundException unreadable) {
            throw new IllegalArgumentException("part " + part + " can't be read from its " + bytes.byteSize()
                    + " bytes: " + unreadable, unreadable);
        }
    }
}
