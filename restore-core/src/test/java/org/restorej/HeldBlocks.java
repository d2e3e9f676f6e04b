package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.loop.LoopData;

/** Constant blocks that a loop keeps in a map; whatever it brings is checked. */
final class HeldBlocks extends LoopData {
    private final LongFunction<byte[]> content;
    private final boolean sized;
    private final TreeMap<Long, byte[]> held = new TreeMap<>();
    private long gainedBlocks;
    private long gainedBytes;
    private Runnable before = () -> {};
    private Runnable after = () -> {};

    HeldBlocks(ReStore store, LongFunction<byte[]> content) {
        super(store);
        this.content = content;
        sized = store.hasVariableBlockSizes();
    }

    /** Blocks that are all alike. */
    static HeldBlocks of(ReStore store, TestBlocks content) {
        return new HeldBlocks(store, id -> content.bytes(BlockRange.of(id, 1)));
    }

    /** Has something done, such as throw, before blocks are taken over. */
    HeldBlocks before(Runnable action) {
        before = action;
        return this;
    }

    /** Has something done when blocks have been taken over. */
    HeldBlocks after(Runnable action) {
        after = action;
        return this;
    }

    SortedMap<Long, byte[]> held() {
        return held;
    }

    BlockRanges heldIds() {
        return BlockRanges.of(held.keySet().stream().map(id -> BlockRange.of(id, 1)).toList());
    }

    long gainedBlocks() {
        return gainedBlocks;
    }

    long gainedBytes() {
        return gainedBytes;
    }

    @Override
    protected boolean isConstant() {
        return true;
    }

    @Override
    protected void initialize(BlockRanges mine) {
        held.clear();
        for (long place = 0; place < mine.blockCount(); place++) {
            held.put(mine.blockAt(place), content.apply(mine.blockAt(place)));
        }
    }

    @Override
    protected Submission submission() {
        Submission submission = new Submission();
        held.forEach((id, bytes) -> {
            if (sized) {
                submission.add(BlockRange.of(id, 1), each -> bytes.length, MemorySegment.ofArray(bytes));
            } else {
                submission.add(BlockRange.of(id, 1), MemorySegment.ofArray(bytes));
            }
        });
        return submission;
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges mine) {
        before.run();
        holds(blocks.ids().minus(mine).isEmpty(), "what is gained is this PE's");
        held.keySet().removeIf(id -> !mine.contains(id));
        gainedBlocks += blocks.count();
        gainedBytes += blocks.bytes().byteSize();
        blocks.forEach((id, block) -> {
            byte[] bytes = block.toArray(ValueLayout.JAVA_BYTE);
            holds(Arrays.equals(content.apply(id), bytes), "bytes of block " + id);
            equal(null, held.put(id, bytes), "block " + id + " as it was here before");
        });
        equal(mine, heldIds(), "blocks of this PE");
        after.run();
    }
}
