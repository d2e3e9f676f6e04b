/**
 * The off-heap memory of one PE: replicas, found by their positions, and the pool that provides all memory of a store.
 *
 * <p>
 * Uses {@code placement} and {@code internal.memory}; no communication. {@code plan} addresses it, {@code transfer}
 * reads and fills it, {@code operation} owns it.
 *
 * <p>
 * To change sizes of blocks, in memory and in messages, start at {@code VariableLayout}; which memory is kept, and how
 * long, at {@code SegmentPool}; frames and receive buffers are those of {@code internal.transfer.Channel}. To change
 * how damage is found, start at {@code CheckedMemory} and {@code Checksum}.
 */
@NullMarked
package org.restorej.internal.storage;

import org.jspecify.annotations.NullMarked;
