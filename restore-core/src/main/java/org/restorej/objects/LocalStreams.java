package org.restorej.objects;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;
import org.restorej.objects.ReplicatedStreams.PartReader;
import org.restorej.objects.ReplicatedStreams.PartWriter;

/**
 * The parts of a {@link ReplicatedStreams} that this PE works on: their numbers, and the application's code that writes
 * and reads them for a {@link CheckpointLoop}. The application holds their data in any form. Not thread-safe.
 */
final class LocalStreams extends LoopData {
    private final LongConsumer initial;
    private final PartWriter writer;
    private final PartReader reader;

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

    /** A copy in memory that the garbage collector frees; loops use {@link #copy}. */
    @Override
    protected Submission submission() {
        return copy(Arena.ofAuto());
    }

    @Override
    protected boolean isCopied() {
        return true;
    }

    @Override
    protected Submission copy(Arena memory) {
        Submission submission = new Submission();
        for (long place = 0; place < ids().blockCount(); place++) {
            long part = ids().blockAt(place);
            PartOutput out = new PartOutput(memory);
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
