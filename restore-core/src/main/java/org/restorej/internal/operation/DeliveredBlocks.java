package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRanges;
import org.restorej.internal.storage.BlockLayout;

/**
 * Blocks that a read has brought to this PE, one after another in ascending order of their ids.
 *
 * @param ids their ids
 * @param layout where each of them begins
 * @param bytes off-heap, at least as long as all of them
 */
public record DeliveredBlocks(BlockRanges ids, BlockLayout layout, MemorySegment bytes) {}
