/**
 * Blocks of a store in files: {@link org.restorej.redset.internal.blocks.BlockFile} is the format,
 * {@link org.restorej.redset.internal.blocks.CheckpointFiles} all such files of a checkpoint that one process reaches,
 * with what is lost of them computed anew.
 *
 * <p>
 * Local: nothing here communicates. Called by {@code RangeCheckpoint}; calls {@code offline} and what is below it.
 */
@NullMarked
package org.restorej.redset.internal.blocks;

import org.jspecify.annotations.NullMarked;
