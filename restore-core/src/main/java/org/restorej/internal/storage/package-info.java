/**
 * The off-heap memory of one PE: replicas, found by their positions, and the pool that all memory of a store comes
 * from.
 *
 * <p>
 * Calls {@code placement} and {@code internal.memory}; knows nothing of communication. {@code plan} finds its way in
 * it, {@code transfer} reads and fills it, {@code operation} owns it.
 *
 * <p>
 * To change sizes of blocks, in memory and in messages, start at {@code VariableLayout}; what memory is kept, and how
 * long, at {@code SegmentPool}; frames and receive buffers are those of {@code internal.transfer.Channel}. To change
 * how damage is found, start at {@code CheckedMemory} and {@code Checksum}.
 */
@NullMarked
package org.restorej.internal.storage;

import org.jspecify.annotations.NullMarked;
