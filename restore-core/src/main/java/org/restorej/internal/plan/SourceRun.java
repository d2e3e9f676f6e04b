package org.restorej.internal.plan;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;
import org.restorej.internal.storage.BlockLayout;

/**
 * Blocks to submit and where their bytes are.
 *
 * @param blocks their ids
 * @param layout where each begins
 * @param bytes off-heap, as many as the blocks are long
 */
public record SourceRun(BlockRange blocks, BlockLayout layout, MemorySegment bytes) {}
