package org.restorej.exchange;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;

/**
 * Blocks to submit and where their bytes are.
 *
 * @param blocks their ids
 * @param bytes off-heap, as many as the blocks are long
 */
public record SourceRun(BlockRange blocks, MemorySegment bytes) {}
